// The numbers of facets, and the facets of the policy in force.
internal import Base
internal import Postgres
package import Scheduling
internal import Synchronization

/// A process's table of facets, shared by all code that enters downloads into lanes.
///
/// Replicas may have another policy for a moment, and rows that were entered under an older one
/// keep their facet until `FacetSettlement` changes it.
package final class FacetBook: Sendable {
    private static let numbersAtMost = 10_000

    private struct State {
        var scheme = FacetScheme.none
        var numbers: [Facet: Int32] = [:]
    }

    private let state = Mutex(State())

    /// Creates a book of a policy without facets.
    package init() {}

    /// The facets of the policy in force.
    package var scheme: FacetScheme { state.withLock { $0.scheme } }

    /// Takes the facets of another policy.
    package func take(_ scheme: FacetScheme) { state.withLock { $0.scheme = scheme } }

    /// The numbers of facets; a facet without one gets one.
    func numbers(
        of facets: some Collection<Facet>, _ pool: ConnectionPool
    ) async throws(PostgresError) -> [Facet: Int32] {
        let (known, unknown) = known(facets)
        guard !unknown.isEmpty else { return known }
        let rows = try await pool.query(FacetBook.statement, [unknown.map(\.text)])
        let fresh = try FacetBook.numbers(of: unknown, rows)
        state.withLock { state in
            if state.numbers.count > FacetBook.numbersAtMost { state.numbers = [:] }
            // A facet without a number may get one later.
            state.numbers.merge(fresh.filter { $0.value != 0 }) { $1 }
        }
        return known.merging(fresh) { $1 }
    }

    /// The number of a facet; a new one is not remembered, because the transaction may not be
    /// committed.
    func number(
        of facet: Facet, in transaction: Transaction
    ) async throws(PostgresError) -> Int32 {
        let (known, unknown) = known(CollectionOfOne(facet))
        guard !unknown.isEmpty else { return known[facet] ?? 0 }
        let rows = try await transaction.query(FacetBook.statement, [unknown.map(\.text)])
        return try FacetBook.numbers(of: unknown, rows)[facet] ?? 0
    }

    private func known(_ facets: some Collection<Facet>) -> ([Facet: Int32], Set<Facet>) {
        var known: [Facet: Int32] = [:]
        var unknown: Set<Facet> = []
        state.withLock { state in
            for facet in facets {
                known[facet] = facet == .none ? 0 : state.numbers[facet]
                if known[facet] == nil { unknown.insert(facet) }
            }
        }
        return (known, unknown)
    }

    private static let statement = "SELECT vector, facet_no FROM lull_facets($1)"

    private static func numbers(
        of facets: Set<Facet>, _ rows: Rows
    ) throws(PostgresError) -> [Facet: Int32] {
        var byText: [KeyText: Int32] = [:]
        for row in rows {
            let (vector, number): (String, Int32) = try row.values()
            byText[KeyText(vector)] = number
        }
        return facets.reduce(into: [:]) { $0[$1] = byText[KeyText($1.text)] ?? 0 }
    }
}
