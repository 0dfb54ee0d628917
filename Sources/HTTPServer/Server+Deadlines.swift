// The time limits of a client.
internal import HTTPWire
internal import Platform

extension Server {
    /// Watches a connection for the events that it needs next and sets its deadline.
    func settle(_ connection: Connection) {
        let wantsWrite = !connection.output.isEmpty
        let wantsRead =
            switch connection.state {
            case .reading: !connection.isHalfClosed && !wantsWrite
            case .answering, .streaming:
                !connection.isHalfClosed && (connection.intake.map(hasRoom) ?? true)
                    && connection.parser.progress().bufferedBytes <= limits.readAheadBytes
            case .closing: false
            case .lingering: true
            }
        let events =
            (wantsRead ? EpollSet.readable : 0) | (wantsWrite ? EpollSet.writable : 0)
        if events != connection.watched {
            connection.watched = events
            watch(
                connection.descriptor, for: events, token: connection.token.rawValue)
        }
        connection.deadline = wantsWrite ? stalled(connection) : deadline(of: connection)
        watch(connection.deadline)
    }

    /// Makes the loop wake up at an instant at the latest.
    func watch(_ instant: Int64) {
        guard instant < ticksAt else { return }
        // Deadlines that are close together are checked together.
        ticksAt = min(ticksAt, max(instant, now + tickNanoseconds))
    }

    private func stalled(_ connection: Connection) -> Int64 {
        connection.since + timeouts.writeStall
    }

    private func deadline(of connection: Connection) -> Int64 {
        switch connection.state {
        case .answering: return connection.intake.map(deadline(ofContent:)) ?? .max
        case .streaming: return .max
        case .closing, .lingering: return connection.since + timeouts.linger
        case .reading: break
        }
        let stage = connection.parser.progress().stage
        if stage != connection.stage {
            connection.stage = stage
            connection.since = now
        }
        switch stage {
        case .idle where connection.served > 0:
            return connection.since + timeouts.keepAlive
        case .idle, .head: return connection.since + timeouts.header
        case .content:
            let upload =
                Int64(connection.parser.contentBytes) * 1_000_000_000
                / Int64(limits.bodyBytesPerSecond)
            return connection.since + timeouts.body + upload
        }
    }

    /// Checks every deadline, and finds the next one.
    func tick() {
        ticksAt = .max
        if now >= acceptsAgainAt {
            acceptsAgainAt = .max
            acceptIfRoom()
        }
        for slot in connections.indices {
            guard let connection = connections[slot] else { continue }
            if connection.deadline <= now {
                expire(connection)
            } else {
                watch(connection.deadline)
            }
        }
        if now >= drainDeadline { abandon() } else { watch(drainDeadline) }
        watch(acceptsAgainAt)
    }

    private func expire(_ connection: Connection) {
        if connection.intake?.reader != nil, connection.output.isEmpty {
            breakOff(.timeout, on: connection)
            return settle(connection)
        }
        let isMidRequest =
            connection.state == .reading && connection.output.isEmpty
            && connection.parser.stage != .idle
        guard isMidRequest else {
            drop(connection)
            return
        }
        reject(.timeout, on: connection)
        advance(connection)
    }
}
