// Reading what a look at a session found.
internal import Base
internal import Downloads
internal import Postgres

/// The values that a look at a session reads.
struct WakeLook {
    private typealias Column = WakeColumn

    /// The instant of the look, by the database's clock.
    let now: Timestamp
    /// The stored state of the session's wakes.
    var session = SessionWake()
    /// The facts of the look.
    var facts = WakeFacts()

    init(_ row: Row) throws(PostgresError) {
        now = try row.requiredInstant(Column.lookedAt)
        let news = Int16(try row.integer(Column.news))
        session.delay = .microseconds(try row.integer(Column.delay))
        session.lastWakeAt = try row.instant(Column.lastWakeAt)
        session.quietSince = try row.instant(Column.quietSince)
        session.hadBackground = try row.get(Column.hadBackground)
        session.isMuted = try row.get(Column.isMuted)
        session.news = WakeReasons(rawValue: Int16(try row.integer(Column.heldNews)))
        session.wake = try WakeLook.wake(row)
        facts.news = WakeReasons(rawValue: news & 7)
        facts.hasEnded = news & SessionNews.ends != 0
        facts.isLive = try row.get(Column.isLive)
        facts.isBackgroundLive = try row.get(Column.isBackgroundLive)
        facts.canWake = try row.get(Column.canWake)
        facts.delivery = try WakeLook.delivery(row)
        if let until = try row.instant(Column.listensUntil) {
            facts.listening = WakeFacts.Listening(
                until: until, hasHeard: try row.get(Column.hasHeard))
        }
    }

    private static func wake(_ row: Row) throws(PostgresError) -> Wake? {
        guard let stored = try row.optionalInteger(Column.wakeState) else { return nil }
        guard let state = Wake.State(rawValue: Int16(stored)) else {
            throw PostgresError(
                .decoding, "a wake has a state that this version of lull does not know")
        }
        var wake = Wake(
            token: try row.identifier(Column.wakeID),
            sentAt: try row.requiredInstant(Column.sentAt),
            reasons: WakeReasons(rawValue: Int16(try row.integer(Column.reasons))))
        wake.state = state
        wake.delivery = Int(try row.integer(Column.delivery))
        wake.expiresAt = try row.instant(Column.expiresAt)
        wake.extended = try row.integer(Column.extended)
        return wake
    }

    private static func delivery(_ row: Row) throws(PostgresError) -> WakeFacts.Delivery {
        guard let stored = try row.optionalInteger(Column.deliveryState) else { return .givenUp }
        switch DeliveryState(rawValue: Int16(stored)) {
        case .succeeded:
            return .answered(
                status: Int(try row.optionalInteger(Column.deliveryStatus) ?? 200),
                at: try row.requiredInstant(Column.deliveryAt))
        case .exhausted, .abandoned, nil: return .givenUp
        case .pending, .sending: return .pending
        }
    }
}
