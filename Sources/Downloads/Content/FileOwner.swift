// The rule for the files that a download still needs; all others are removed.

/// The database's knowledge about the download that a found file belongs to.
package enum FileOwner: Equatable, Sendable {
    /// Live: the fence of its row, the fence of the bytes that a later attempt may continue, and
    /// whether they are a whole file that only has to be sent.
    case live(fence: Int64, kept: Int64?, isWhole: Bool = false)
    /// It has ended: the fence of its content, nil if none is kept, and the fence of bytes that
    /// another download continues.
    case ended(content: Int64?, part: Int64? = nil)
    /// It has ended, and its content was declared lost: the fence of the file that may be found
    /// again.
    case lost(content: Int64, part: Int64? = nil)
    /// No row has this download.
    case unknown

    /// For how long a file without a row is left alone.
    package static let unknownFileAge = Duration.seconds(86_400)

    /// Whether a file has to stay.
    ///
    /// A fence only grows, so a file that is not needed at this moment is never needed later: a
    /// file that is being written or published has the fence of its row. An attempt gives a whole
    /// file its own fence before the row names it, and the process may end in between, so such a
    /// file also stays with a later fence than the row names.
    ///
    /// - Parameters:
    ///   - fence: the fence in its name.
    ///   - isPart: whether it is unfinished.
    ///   - age: since it was written, by the database's clock.
    ///   - acquaintance: since this database knows the data directory; a file without a row in a
    ///     new one may mean that the database is the wrong one.
    /// - Returns: false if it may be removed.
    package func needs(
        fence: Int64, isPart: Bool, age: Duration, acquaintance: Duration
    ) -> Bool {
        switch self {
        case .live(let current, let kept, let isWhole):
            fence >= current
                || isPart && kept.map { isWhole ? fence >= $0 : fence == $0 } ?? false
        case .ended(let content, let part): fence == (isPart ? part : content)
        case .lost(let content, let part): fence == (isPart ? part : content)
        case .unknown: min(age, acquaintance) < FileOwner.unknownFileAge
        }
    }
}
