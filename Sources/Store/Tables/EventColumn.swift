// The columns that an event is read from, each named once.

/// A column of `e`, which is `events`; those of `ShownColumn` stand behind them.
enum EventColumn: Int, RowColumn {
    case transaction, journalNo, eventID, type, downloadID, at, sequence, attempt, payload, bytes
    case totalBytes, app

    var sql: String {
        switch self {
        case .transaction: "e.xid::text"
        case .eventID: "lull_event_id(e.at, e.journal_no, e.xid)"
        case .app: "(SELECT a.name FROM apps a WHERE a.app_no = e.app_no)"
        default: "e." + columnName
        }
    }
}
