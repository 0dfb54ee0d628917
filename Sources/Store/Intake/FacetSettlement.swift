// Gives rows that were entered under another policy the facet of the one in force.
internal import Base
internal import Downloads
internal import Postgres
internal import Scheduling

/// A walk over the lanes, a bounded number at a time.
package struct FacetSettlement: Sendable {
    let pool: ConnectionPool
    let facets: FacetBook

    /// The result of a step.
    package struct Step: Sendable {
        /// The last lane that was seen; nil at the end.
        package let last: Int64?
        /// The number of rows that moved to another lane.
        package let moved: Int
        /// The number of lanes that were seen.
        package let seen: Int
    }

    private enum Column: Int, RowColumn {
        case id, facet, expectedBytes, metadata, resume, isRelayed
    }

    private static let lanesAtOnce = 1000
    private static let rowsAtOnce = 500

    /// Moves waiting rows into the lanes that the policy in force gives them.
    ///
    /// A lane whose rows were moved in part is seen again by the next call.
    ///
    /// - Parameter after: only lanes behind this one.
    /// - Returns: what was done.
    /// - Throws: `unavailable` or `refused`.
    package func settle(after: Int64) async throws(StoreError) -> Step {
        try await sorting { () throws(PostgresError) in
            let scheme = facets.scheme
            var known: [Int32: Facet] = [0: .none]
            for row in try await pool.query("SELECT facet_no, vector FROM facets") {
                let (number, vector): (Int32, String) = try row.values()
                known[number] = Facet(text: vector)
            }
            let current = known.filter { scheme.makes($0.value) }.map(\.key)
            let lanes = try await pool.query(
                """
                SELECT z.lane_no, z.facet <> ALL ($2) AND z.next_at < 'infinity' FROM (
                    SELECT l.lane_no, l.facet, l.next_at FROM lanes l
                    WHERE l.lane_no > $1 ORDER BY l.lane_no LIMIT $3) z ORDER BY 1
                """, [after, current, Int64(FacetSettlement.lanesAtOnce)])
            var last = after
            var seen = 0
            for row in lanes {
                let (lane, isOld): (Int64, Bool) = try row.values()
                seen += 1
                if isOld {
                    let moved = try await settle(lane: lane, scheme)
                    // A lane with a full batch may have more rows.
                    if moved > 0 {
                        let isWhole = moved < FacetSettlement.rowsAtOnce
                        return Step(last: isWhole ? lane : last, moved: moved, seen: seen)
                    }
                }
                last = lane
            }
            let isOver = lanes.count < FacetSettlement.lanesAtOnce
            return Step(last: isOver ? nil : last, moved: 0, seen: seen)
        }
    }

    private func settle(lane: Int64, _ scheme: FacetScheme) async throws(PostgresError) -> Int {
        try await pool.transaction { transaction throws(PostgresError) in
            let rows = try await transaction.query(
                """
                SELECT q.id, q.facet, d.expected_bytes, d.spec->'metadata' AS metadata,
                    q.resume, 
                        d.spec ? 'relay' OR d.spec->'destination'->'store' IS NOT NULL AS is_relayed
                FROM queue q JOIN downloads d ON d.id = q.id
                WHERE q.lane_no = $1 AND q.state = lull_state('waiting')
                ORDER BY q.run_at, q.id LIMIT $2 FOR UPDATE OF q SKIP LOCKED
                """, [lane, Int64(FacetSettlement.rowsAtOnce)])
            var ids: [Identifier] = []
            var numbers: [Int32] = []
            for row in rows {
                let facet = scheme.facet(
                    expectedBytes: try row.optionalInteger(Column.expectedBytes),
                    metadata: try row.stored(Column.metadata) ?? JSONObject(),
                    holder: try row.get(Column.isRelayed)
                        ? ResumePoint(stored: try row.object(Column.resume))?.holder : nil)
                let number = try await self.facets.number(of: facet, in: transaction)
                guard try row.get(Column.facet) != number else { continue }
                ids.append(try row.get(Column.id))
                numbers.append(number)
            }
            guard !ids.isEmpty else { return 0 }
            _ = try await transaction.query(
                """
                UPDATE queue q SET facet = u.facet FROM unnest($1::uuid[], $2::int[]) u(id, facet)
                WHERE q.id = u.id
                """, [ids, numbers])
            try await Downloads.enterLanes(ids, in: transaction)
            _ = try await transaction.query(
                "SELECT count(*) FROM lull_settle_lanes(ARRAY[$1::bigint])", [lane])
            return ids.count
        }
    }
}
