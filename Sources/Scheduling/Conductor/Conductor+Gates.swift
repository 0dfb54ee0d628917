// Notes which gates are full, for the history of waits.

extension Conductor {
    /// The gates that became full or not full since the last call.
    package mutating func takeGateChanges() -> [GateChange] { fullGates.takeChanges() }

    /// Notes the use of the gates of lanes.
    mutating func noteGates(of heads: [LaneHead]) {
        let limits = policy.limits
        for head in heads {
            note(.app(head.app), of: .app(head.appName), head.appGate) {
                PolicyLimits.least($0, limits.app(head.appName))
            }
            note(.session(head.sessionKey), of: .session(head.sessionKey), head.sessionGate) {
                PolicyLimits.least($0, limits.session(head.session, app: head.appName))
            }
            note(.origin(head.originKey), of: .origin(head.originKey), head.origin) {
                $0 ?? limits.origin(head.originName, app: head.appName)
            }
            guard let connections = head.connections else { continue }
            let subject = GateChange.Subject.connections(
                session: head.sessionKey, origin: head.originKey)
            note(head.connectionsKey, of: subject, connections) { $0 }
        }
    }

    /// Notes the end of a run.
    mutating func noteGates(after flow: LaneFlow) {
        let book = book
        fullGates.end(flow) { book.knownGate($0)?.running }
    }

    /// Notes the use of a gate: by the runs counted here or, if none are known, as it was read,
    /// with the limit in force.
    private mutating func note(
        _ key: GateKey, of subject: GateChange.Subject, _ read: GateReading, limit: (Int?) -> Int?
    ) {
        let gate = book.knownGate(key) ?? read
        fullGates.note(key, of: subject, running: gate.running, limit: limit(gate.limit))
    }
}
