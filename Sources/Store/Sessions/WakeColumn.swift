// The columns of a look at a session, each named once.
internal import Base
internal import Downloads
internal import Postgres

/// A column of `lull_look_at_session`; the raw value is its index.
enum WakeColumn: Int, CaseIterable, RowColumn {
    case lookedAt, news, isLive, isBackgroundLive, canWake, delay, lastWakeAt
    case quietSince, hadBackground, isMuted, heldNews, wakeID, wakeState, delivery, sentAt
    case expiresAt, extended, reasons, deliveryState, deliveryStatus, deliveryAt, listensUntil
    case hasHeard

    /// The SQL expression of the column.
    var sql: String {
        switch self {
        case .lookedAt: "looked_at"
        case .news: "news"
        case .isLive: "is_live"
        case .isBackgroundLive: "is_background_live"
        case .canWake: "can_wake"
        case .delay: "delay"
        case .lastWakeAt: "last_wake_at"
        case .quietSince: "quiet_since"
        case .hadBackground: "had_background"
        case .isMuted: "is_muted"
        case .heldNews: "held_news"
        case .wakeID: "wake_id"
        case .wakeState: "wake_state"
        case .delivery: "delivery"
        case .sentAt: "sent_at"
        case .expiresAt: "expires_at"
        case .extended: "extended"
        case .reasons: "reasons"
        case .deliveryState: "delivery_state"
        case .deliveryStatus: "delivery_status"
        case .deliveryAt: "delivery_at"
        case .listensUntil: "listens_until"
        case .hasHeard: "has_heard"
        }
    }

    /// The select list for `w` (session_wakes) and `k` (wakes) without a look.
    static let stored = allCases.map { column in
        switch column {
        case .lookedAt: "clock_timestamp()"
        case .news: "0::smallint"
        case .isLive, .isBackgroundLive, .canWake, .hasHeard: "false"
        case .delay, .lastWakeAt, .quietSince, .hadBackground, .isMuted: "w." + column.sql
        case .heldNews: "w.news"
        case .wakeState: "k.state"
        case .wakeID, .delivery, .sentAt, .expiresAt, .extended, .reasons: "k." + column.sql
        case .deliveryState: "NULL::smallint"
        case .deliveryStatus: "NULL::int"
        case .deliveryAt, .listensUntil: "NULL::timestamptz"
        }
    }.joined(separator: ", ")
}

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
        session.hadBackground = try row.get(Column.hadBackground.rawValue)
        session.isMuted = try row.get(Column.isMuted.rawValue)
        session.news = WakeReasons(rawValue: Int16(try row.integer(Column.heldNews)))
        session.wake = try WakeLook.wake(row)
        facts.news = WakeReasons(rawValue: news & 7)
        facts.hasEnded = news & SessionNews.ends != 0
        facts.isLive = try row.get(Column.isLive.rawValue)
        facts.isBackgroundLive = try row.get(Column.isBackgroundLive.rawValue)
        facts.canWake = try row.get(Column.canWake.rawValue)
        facts.delivery = try WakeLook.delivery(row)
        if let until = try row.instant(Column.listensUntil) {
            facts.listening = WakeFacts.Listening(
                until: until, hasHeard: try row.get(Column.hasHeard.rawValue))
        }
    }

    private static func wake(_ row: Row) throws(PostgresError) -> Wake? {
        guard let stored = try row.optionalInteger(Column.wakeState) else { return nil }
        guard let state = Wake.State(rawValue: Int16(stored)) else {
            throw PostgresError(.decoding, "a wake in a state that this program does not know")
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
