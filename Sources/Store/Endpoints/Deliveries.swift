// The deliveries of an app: listed, read, sent once more.
internal import Downloads
internal import Postgres

/// The deliveries of all apps.
package struct Deliveries: Sendable {
    /// The most deliveries that are looked at for a page.
    package static let scannedAtMost = 10_000

    private let pool: ConnectionPool
    private let lists: ConnectionPool
    private let base: String

    /// The names of deliveries for clients.
    package let names: PublicNames

    init(pool: ConnectionPool, lists: ConnectionPool, base: String, names: PublicNames) {
        self.names = names
        self.pool = pool
        self.lists = lists
        self.base = base
    }

    /// A page of deliveries, the newest first.
    ///
    /// - Parameters:
    ///   - filter: which.
    ///   - app: the app's number.
    ///   - before: only those with lower numbers.
    ///   - limit: at most so many.
    ///   - scanned: looks at most at so many that may fit or not.
    /// - Returns: the page, which may be empty and not the last.
    /// - Throws: `overloaded`, `unavailable` or `refused`.
    package func list(
        _ filter: DeliveryFilter, app: Int64, before: Int64?, limit: Int,
        scanned: Int = Deliveries.scannedAtMost
    ) async throws(StoreError) -> DeliveryPage {
        var number: Int64?
        if case .endpoint(let of) = filter.receiver { number = of }
        let states: [Int16] =
            switch filter.state {
            case nil: []
            case .pending: [DeliveryState.pending.rawValue, DeliveryState.sending.rawValue]
            case .succeeded: [DeliveryState.succeeded.rawValue]
            case .exhausted: [DeliveryState.exhausted.rawValue]
            case .abandoned: [DeliveryState.abandoned.rawValue]
            }
        // The index with which the fewest rows are looked at.
        let walk =
            filter.download != nil
            ? "z.download_id = $6"
            : number != nil
                ? "z.endpoint_no = $5"
                : filter.state == .exhausted || filter.state == .abandoned
                    ? "z.app_no = $1 AND z.state >= lull_delivery_state('exhausted')" : "true"
        let text = """
            WITH seen AS MATERIALIZED (
                SELECT z.delivery_no, z.app_no, z.state, z.endpoint_no, z.download_id
                FROM deliveries z WHERE z.delivery_no < $2 AND \(walk)
                ORDER BY z.delivery_no DESC LIMIT $8),
            found AS MATERIALIZED (
                SELECT s.delivery_no FROM seen s WHERE s.app_no = $1
                    AND (cardinality($4::smallint[]) = 0 OR s.state = ANY ($4))
                    AND ($5::bigint IS NULL OR s.endpoint_no = $5)
                    AND ($6::uuid IS NULL OR s.download_id = $6)
                    AND (NOT $7 OR s.endpoint_no IS NULL)
                ORDER BY s.delivery_no DESC LIMIT $3)
            SELECT y.*, (SELECT min(s.delivery_no) FROM seen s HAVING count(*) = $8)
            FROM (SELECT 1) one LEFT JOIN (
                SELECT \(DeliveryColumn.list) FROM found f
                JOIN deliveries v ON v.delivery_no = f.delivery_no \(DeliveryView.tables)) y
                ON true
            ORDER BY y.delivery_no DESC
            """
        let isOfAddresses = filter.receiver == .addresses
        return try await sorting { () throws(PostgresError) in
            let rows = try await lists.query(batch: [
                Statement("SET LOCAL enable_seqscan = off", []),
                Statement(
                    text,
                    [
                        app, before ?? .max, Int64(limit), states, number,
                        filter.download, isOfAddresses, Int64(scanned),
                    ], isPrepared: false),
            ])[1]
            var list: [DeliveryView] = []
            for row in rows where try row.optionalInteger(DeliveryColumn.deliveryNo) != nil {
                list.append(try DeliveryView(row, names: names))
            }
            let end = try rows.first?.behind(DeliveryColumn.self).only(as: Int64?.self)
            return DeliveryPage(
                list: list, next: list.count == limit ? list.last?.number : end ?? nil)
        }
    }

    /// One delivery with the bytes that are sent; nil if the app has none with this number.
    package func find(
        _ number: Int64, app: Int64
    ) async throws(StoreError) -> DeliveryView? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT \(DeliveryColumn.list), \(JournalEvent.columns)
                FROM deliveries v \(DeliveryView.tables) \(JournalEvent.tables)
                WHERE v.delivery_no = $1 AND v.app_no = $2
                """, [number, app])
            guard let row = rows.first else { return nil }
            var view = try DeliveryView(row, names: names)
            if !view.isErased, view.event != nil {
                let event = row.behind(DeliveryColumn.self)
                view.body = try JournalEvent(event, base: base, names: names).message.body
            }
            return view
        }
    }

    /// Sends a delivery once more, whatever its result was; a waiting one continues to wait.
    ///
    /// - Returns: whether it waits from now on because of this.
    /// - Throws: `unavailable` or `refused`.
    package func redeliver(_ number: Int64, app: Int64) async throws(StoreError) -> Bool {
        try await sorting { () throws(PostgresError) in
            let row = try await pool.query(
                "SELECT cardinality(lull_redeliver($1, ARRAY[$2::bigint], true))", [app, number])[0]
            return try row.only(as: Int.self) > 0
        }
    }
}

extension Downloads {
    /// The store of their events' deliveries.
    package var deliveries: Deliveries {
        Deliveries(pool: pool, lists: lists, base: changes.base, names: changes.names)
    }

    /// The store of endpoints.
    package var endpoints: Endpoints { Endpoints(pool: pool, changes: changes) }
}
