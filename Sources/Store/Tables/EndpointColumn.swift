// The columns that an endpoint is read from, each named once.

/// A column of `w`, which is `webhook_endpoints`.
enum EndpointColumn: Int, RowColumn {
    case endpointNo, id, url, events, sessions, description, version, createdAt, updatedAt
    case disabledAt, disabledReason, secret, request, sealed, format

    var sql: String { "w." + columnName }
}
