// Which statements a connection has prepared; pure.

/// A bounded map from SQL to the name it was prepared under; the least recently used goes first.
struct StatementCache {
    /// What makes a prepared statement: the same text with other types is another one.
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

    /// How many statements are prepared.
    var count: Int { entries.count }

    /// The name of a prepared statement, marked as just used.
    mutating func name(of key: Key) -> String? {
        turn += 1
        entries[key]?.used = turn
        return entries[key]?.name
    }

    /// A name that was never used on this connection.
    mutating func makeName() -> String {
        named += 1
        return "s\(named)"
    }

    /// Remembers a statement, and gives up the oldest if there are too many now.
    mutating func insert(_ key: Key, name: String) {
        turn += 1
        entries[key] = Entry(name: name, used: turn)
        guard entries.count > limit else { return }
        if let oldest = entries.min(by: { $0.value.used < $1.value.used }) { remove(oldest.key) }
    }

    /// Forgets a statement, which the server has to forget too.
    mutating func remove(_ key: Key) {
        if let name = entries.removeValue(forKey: key)?.name { surplus.append(name) }
    }

    /// The name of a statement to deallocate.
    mutating func nextSurplus() -> String? { surplus.popLast() }
}
