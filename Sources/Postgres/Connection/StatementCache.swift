// The statements that a connection has prepared; pure.

/// A bounded map from SQL to the name of its prepared statement; evicts the least recently used.
struct StatementCache {
    /// The key of a prepared statement: the text and the parameters' types.
    struct Key: Hashable {
        let sql: String
        let types: [UInt32]
    }

    private struct Entry {
        let name: String
        var used: UInt64
    }

    private var entries: [Key: Entry] = [:]
    private var surplus: [String] = []
    private var turn: UInt64 = 0
    private var named: UInt64 = 0
    private let limit: Int

    init(limit: Int) {
        precondition(limit > 0, "a cache holds at least one statement")
        self.limit = limit
    }

    /// The number of prepared statements.
    var count: Int { entries.count }

    /// Returns the name of a prepared statement, and marks it as just used.
    mutating func name(of key: Key) -> String? {
        turn += 1
        entries[key]?.used = turn
        return entries[key]?.name
    }

    /// Returns a name that was never used on this connection.
    mutating func makeName() -> String {
        named += 1
        return "s\(named)"
    }

    /// Adds a statement, and evicts the least recently used one if there are too many.
    mutating func insert(_ key: Key, name: String) {
        turn += 1
        entries[key] = Entry(name: name, used: turn)
        guard entries.count > limit else { return }
        if let oldest = entries.min(by: { $0.value.used < $1.value.used }) { remove(oldest.key) }
    }

    /// Removes a statement, which then has to be deallocated on the server.
    mutating func remove(_ key: Key) {
        if let name = entries.removeValue(forKey: key)?.name { surplus.append(name) }
    }

    /// Takes the name of an evicted statement that is to be deallocated.
    mutating func nextSurplus() -> String? { surplus.popLast() }
}
