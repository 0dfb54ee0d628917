// The decision of the sweep, which looks through all files, about one file.

/// The disposition of a file that the sweep found.
package enum FileDisposition: Equatable, Sendable {
    /// A row needs it, or may need it.
    case keep
    /// No row needs it: it is kept in the quarantine for a while, because a row may be wrong, for
    /// example after the database was restored from a backup.
    case quarantine
    /// It is removed at once: somebody asked for its removal, or may have done so.
    case remove
}

extension FileOwner {
    /// Decides about a file that the sweep found.
    ///
    /// - Parameters:
    ///   - fence: the fence in its name.
    ///   - isPart: whether it is unfinished.
    ///   - age: since it was written, by the database's clock.
    ///   - acquaintance: since this database knows the data directory.
    ///   - leavesNothing: whether its download is ephemeral, or was canceled, or its content was
    ///     deleted or has expired.
    /// - Returns: what becomes of it.
    package func disposition(
        fence: Int64, isPart: Bool, age: Duration, acquaintance: Duration, leavesNothing: Bool
    ) -> FileDisposition {
        if needs(fence: fence, isPart: isPart, age: age, acquaintance: acquaintance) {
            return .keep
        }
        if leavesNothing { return .remove }
        // An unfinished file without a row has been left alone for a day already, and may belong to
        // a download that somebody deleted. A finished file whose download was deleted has a row
        // until it is removed.
        return isPart && self == .unknown ? .remove : .quarantine
    }

    /// Whether a file that rests in the quarantine is needed again.
    ///
    /// - Parameters:
    ///   - fence: the fence in its name.
    ///   - isPart: whether it is unfinished.
    /// - Returns: true where a row names the file.
    package func wantsBack(fence: Int64, isPart: Bool) -> Bool {
        self != .unknown
            && needs(fence: fence, isPart: isPart, age: .zero, acquaintance: .zero)
    }
}
