// The columns that a delivery is read from, each named once.

/// A column of `v` (deliveries), its event `e`, its download `x` and its endpoint `w`.
enum DeliveryColumn: Int, RowColumn {
    case deliveryNo, state, downloadID, attempt, runAt, finishedAt, lastStatus, lastMs, lastError
    case tries, url, endpointNo, endpointID, type, at, eventID, isErased, noticeNo

    var sql: String {
        switch self {
        case .tries: "v.tries::text"
        case .url: "coalesce(w.url, lull_delivery_url(v.url, x.spec, e.type))"
        case .endpointID: "w.id"
        case .type, .at: "e." + columnName
        case .eventID: "lull_event_id(e.at, e.journal_no, e.xid)"
        case .isErased: "x.id IS NULL AND e.payload IS NULL"
        default: "v." + columnName
        }
    }
}
