// Reads downloads, and performs the actions of clients.
package import Base
package import Downloads
package import Postgres
package import Scheduling

/// The downloads of all apps, as the API asks for them.
package struct Downloads: Sendable {
    let pool: ConnectionPool
    /// The pool for reads of many rows, which nothing else uses.
    let lists: ConnectionPool
    let changes: ChangeHub
    /// The facets of the policy; taken by the code that puts another policy in force.
    package let facets: FacetBook
    /// Whether a download's destinations are allowed, by the name of its app.
    let isAllowed: @Sendable (_ download: Download, _ app: String) -> Bool
    /// The rules of a time zone, for the schedules of sources; nil for an unknown name.
    package var zone: @Sendable (String) -> TimeZoneRules? = { _ in nil }
    private let reads: DownloadReads

    /// Creates a store over a pool, with another one for lists if there is one; changes wake
    /// waiters.
    ///
    /// A download that is put back without a request is judged by `isAllowed` first.
    package init(
        pool: ConnectionPool, lists: ConnectionPool? = nil, changes: ChangeHub,
        facets: FacetBook = FacetBook(),
        isAllowed: @escaping @Sendable (Download, String) -> Bool = { _, _ in true }
    ) {
        self.isAllowed = isAllowed
        self.facets = facets
        self.pool = pool
        self.lists = lists ?? pool
        self.changes = changes
        reads = DownloadReads(pool: pool)
    }

    /// The most downloads that are looked at for a page.
    package static let scannedAtMost = 10_000

    /// The time limit for a statement of a list, and for the wait for its connection.
    package static let listTimeoutMilliseconds = 3_000

    /// One download; nil if the app has none with this identifier.
    package func find(
        _ id: Identifier, app: Int64
    ) async throws(StoreError) -> DownloadRecord? {
        try await lookUp(id, app: app).record()
    }

    /// One download, whose record is created later.
    package func lookUp(_ id: Identifier, app: Int64) async -> Found {
        Found(answer: await reads.questions.ask(DownloadReads.Key(id: id, app: app)))
    }

    /// A page of downloads.
    ///
    /// - Parameters:
    ///   - app: the app's number.
    ///   - filter: which.
    ///   - order: in which order.
    ///   - after: only those behind this one in the order.
    ///   - instant: the instant of that one, in an order by time.
    ///   - limit: at most so many.
    ///   - scanned: looks at most at so many that may fit or not.
    /// - Returns: the page, which may be empty and not the last.
    /// - Throws: `overloaded`, `unavailable` or `refused`.
    package func list(
        app: Int64, _ filter: DownloadFilter, order: DownloadOrder = .newestFirst,
        after: Identifier?, at instant: Timestamp? = nil, limit: Int,
        scanned: Int = Downloads.scannedAtMost
    ) async throws(StoreError) -> DownloadPage {
        let page = filter.page(order)
        return try await sorting { () throws(PostgresError) in
            let question = DownloadFilter.Question(
                filter: filter, app: app, after: after, at: instant, limit: Int64(limit),
                scanned: Int64(scanned))
            let parameters = DownloadFilter.parameters.values(of: question)
            let rows = try await lists.query(batch: [
                DownloadFilter.inOrder, Statement(page.text, parameters, isPrepared: false),
            ])[1]
            var records: [DownloadRecord] = []
            for row in rows where try row.optionalIdentifier(DownloadColumn.id) != nil {
                records.append(try DownloadRecord(row))
            }
            guard page.isBounded, records.count < limit, let row = rows.first else {
                return DownloadPage(records: records, resumption: nil)
            }
            let rest = row.behind(DownloadColumn.self)
            switch order {
            case .newestFirst, .oldestFirst:
                return DownloadPage(records: records, resumption: try rest.only())
            case .lastEndFirst, .firstEndFirst, .next:
                let (id, at): (Identifier?, Timestamp?) = try rest.values()
                return DownloadPage(records: records, resumption: id, resumptionAt: at)
            }
        }
    }

    /// Counts the downloads before waiting ones that are not due; for due ones they were counted
    /// when they were read.
    ///
    /// - Returns: the same downloads.
    /// - Throws: `overloaded`, `unavailable` or `refused`.
    package func countBefore(
        _ records: [DownloadRecord]
    ) async throws(StoreError) -> [DownloadRecord] {
        let uncounted = records.filter { $0.candidate != nil && $0.candidate?.before == nil }
        guard !uncounted.isEmpty else { return records }
        let counts = try await sorting { () throws(PostgresError) in
            let rows = try await lists.query(
                """
                SELECT q.id, \(DownloadRecord.rowsBefore) FROM queue q
                WHERE q.id = ANY ($1) AND q.state = lull_state('waiting')
                """, [uncounted.map(\.download.id)])
            var counts: [Identifier: Int] = [:]
            for row in rows {
                let (id, count): (Identifier, Int) = try row.values()
                counts[id] = count
            }
            return counts
        }
        return records.map { record in
            guard let count = counts[record.download.id] else { return record }
            var counted = record
            counted.candidate?.before = count
            return counted
        }
    }

    /// The store of budgets' counters.
    package var budgets: Budgets { Budgets(pool: pool) }

    /// The store that maintains the queue's own tables.
    package var queue: QueueUpkeep { QueueUpkeep(pool: pool) }

    /// The facets of the policy in force.
    package var facetScheme: FacetScheme { facets.scheme }

    /// The store that gives waiting rows the facets of the policy in force.
    package var facetSettlement: FacetSettlement {
        FacetSettlement(pool: pool, facets: facets)
    }
    /// The reads for a forecast.
    package var forecastReads: ForecastReads { ForecastReads(pool: lists) }

    /// The sample by which forecasts are scored.
    package var forecastSamples: ForecastSamples { ForecastSamples(pool: pool) }

    /// The store of learned rates and sizes.
    package var learning: Learning { Learning(pool: pool) }

    static let findStatement = """
        SELECT \(DownloadRecord.columns) FROM \(DownloadRecord.tables)
        WHERE d.id = $1 AND d.app_no = $2
        """
}

extension Downloads {
    /// The result of a read; its record is created where it is used.
    ///
    /// A record is large: if asynchronous functions kept it or passed it on, it would be in the
    /// memory of a task, which is no longer in the processor's caches when the task continues.
    package struct Found: Sendable {
        let answer: DownloadReads.Found?

        /// The download; nil if there is none.
        ///
        /// - Throws: `overloaded` without an answer, `unavailable` or `refused`.
        package func record() throws(StoreError) -> DownloadRecord? {
            guard let answer else { throw StoreError(.overloaded, "too many reads wait") }
            guard let place = try answer.get() else { return nil }
            do throws(PostgresError) {
                return try DownloadRecord(place.rows[place.row])
            } catch {
                throw StoreError(error)
            }
        }
    }
}
