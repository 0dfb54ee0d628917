// The columns of a look at a session, each named once.

/// A column of what `lull_look_at_session` gives; its raw value is its place.
enum WakeColumn: Int, CaseIterable, RowColumn {
    case lookedAt, news, isLive, isBackgroundLive, canWake, delay, lastWakeAt
    case quietSince, hadBackground, isMuted, heldNews, wakeID, wakeState, delivery, sentAt
    case expiresAt, extended, reasons, deliveryState, deliveryStatus, deliveryAt, listensUntil
    case hasHeard

    static let statement = "SELECT \(list) FROM lull_look_at_session($1)"

    /// The columns of `w` (session_wakes) and `k` (wakes) that are selected without a look.
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
