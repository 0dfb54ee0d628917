// The gates that are full, as far as a replica knows.

/// The full gates, and the changes since they were asked for; bounded.
///
/// A look shows the use of origins, and of those apps and sessions that have a free place; claims
/// and ends of this replica's runs change it at once.
struct FullGates: Sendable {
    private static let gatesAtMost = 1024

    private struct Gate {
        let subject: GateChange.Subject
        let limit: Int
    }

    private var gates: [GateKey: Gate] = [:]
    private var changes: [GateChange] = []

    /// The changes since the last call.
    mutating func takeChanges() -> [GateChange] {
        guard !changes.isEmpty else { return [] }
        defer { changes = [] }
        return changes
    }

    /// Notes the use of a gate.
    ///
    /// - Parameters:
    ///   - key: the gate.
    ///   - subject: what it belongs to.
    ///   - running: how many run.
    ///   - limit: how many may; 0 is a suspension and no limit.
    mutating func note(_ key: GateKey, of subject: GateChange.Subject, running: Int, limit: Int?) {
        guard let limit, limit > 0, running >= limit else { return open(key) }
        guard gates[key] != nil || gates.count < FullGates.gatesAtMost else { return }
        if gates.updateValue(Gate(subject: subject, limit: limit), forKey: key) == nil {
            changes.append(GateChange(subject: subject, isFull: true))
        }
    }

    /// Notes the end of a flow's run.
    ///
    /// - Parameters:
    ///   - flow: whose it was.
    ///   - running: how many run at a gate; nil where that is not known.
    mutating func end(_ flow: LaneFlow, running: (GateKey) -> Int?) {
        guard !gates.isEmpty else { return }
        for key in [
            GateKey.app(flow.app), .session(flow.session), .origin(flow.origin),
            .connections(session: flow.session, origin: flow.origin),
        ] {
            guard let gate = gates[key], running(key) ?? 0 < gate.limit else { continue }
            open(key)
        }
    }

    private mutating func open(_ key: GateKey) {
        guard let gate = gates.removeValue(forKey: key) else { return }
        changes.append(GateChange(subject: gate.subject, isFull: false))
    }
}
