// The columns of a claimed delivery, each named once.

/// A column of what `lull_claim_deliveries` gives; those of `ShownColumn` stand behind them.
enum DueColumn: Int, RowColumn {
    case deliveryNo, receiverNo, downloadID, url, attempt, fence, isEnded, eventID, type, at
    case sequence, eventAttempt, bytes, totalBytes, payload, traceparent, redeliveredAfter, appNo
    case app, endpointNo, endpointID, secret, replacedSecrets, eventSession, requestID, sealed
    case isOfDownload, format, counted

    /// Claims and selects.
    static let statement = """
        SELECT \(list), session, download_url, priority, earliest_begin_at, expected_bytes, spec,
            created_at, started_at, result
        FROM lull_claim_deliveries($1, $2, $3)
        """
}
