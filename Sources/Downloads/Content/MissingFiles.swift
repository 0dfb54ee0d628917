// Decides when a missing file counts as lost: never after one look, and never many files at once.
package import Base

/// The files that a data directory should have and that were not found there.
///
/// A file counts as lost after it was missing for a minute, and a later look through all files of
/// the data directory has found only few files missing. Where many are missing, the volume may be
/// away: no file counts as lost then, until the files are back or an operator says that they do not
/// come back. Instants are durations of a monotonic clock.
package struct MissingFiles: Sendable, Equatable {
    /// One file, by its row.
    package struct File: Hashable, Sendable {
        /// The download.
        package let id: Identifier
        /// The attempt.
        package let fence: Int64

        /// Creates the name of a file.
        package init(id: Identifier, fence: Int64) {
            self.id = id
            self.fence = fence
        }
    }

    /// The state in which a file was found.
    package enum Presence: Hashable, Sendable {
        /// It is there with its length.
        case there
        /// Its folder is there without it, or with another length.
        case missing
        /// Its folder is not there, or cannot be read: this says nothing about the file.
        case unreadable
    }

    /// The conclusion from the files that are missing.
    package enum Verdict: Hashable, Sendable {
        /// Every file is there, as far as the last look shows.
        case whole
        /// Look at the missing files again at once, and through all files at this instant.
        case waits(until: Duration)
        /// A look through all files has to come first.
        case needsLook
        /// Too many are missing: no file counts as lost.
        case held(missing: Int64, of: Int64)
        /// These files are lost.
        case lost([File])
    }

    private struct Missing: Sendable, Equatable {
        var since: Duration
        var isReadable: Bool
    }

    private struct Losses: Sendable, Equatable {
        let at: Duration
        let count: Int64
    }

    /// The time for which a file has to be missing before it counts as lost.
    package static let grace = Duration.seconds(60)
    /// Up to this number of missing files, or one in a hundred, they count as single files and not
    /// as a missing volume.
    package static let singleFilesAtMost = 2
    /// The most files that are remembered by name; further ones are only counted.
    package static let namedAtMost = 100_000

    /// The time for which a file has to be missing.
    package let grace: Duration
    private var named: [File: Missing] = [:]
    /// The number of missing files that are not remembered by name.
    private var unnamed: Int64 = 0
    /// The number of files that the data directory should have, by the last look through all.
    private var total: Int64 = 0
    /// The time at which the last look through all files began.
    private var lookedAt: Duration?
    /// Losses of the last minute (`grace`), the youngest last.
    private var losses: [Losses] = []

    /// Creates a record without missing files.
    package init(grace: Duration = MissingFiles.grace) { self.grace = grace }

    /// The number of missing files, as far as is known.
    package var count: Int64 { Int64(named.count) + unnamed }

    /// The files that are remembered as missing, in the order of their names.
    package var files: [File] { named.keys.sorted { $0.id < $1.id } }

    /// Notes how one file was found.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - presence: how it was found.
    ///   - now: the instant.
    package mutating func note(_ file: File, _ presence: Presence, at now: Duration) {
        guard presence != .there else {
            named[file] = nil
            return
        }
        let isReadable = presence == .missing
        if let known = named[file] {
            // A file that could not be read does not count as missing during that time.
            if known.isReadable != isReadable {
                named[file] = Missing(since: now, isReadable: isReadable)
            }
        } else if named.count < MissingFiles.namedAtMost {
            named[file] = Missing(since: now, isReadable: isReadable)
        } else {
            unnamed += 1
        }
    }

    /// Replaces the record by the result of a look through all files.
    ///
    /// - Parameters:
    ///   - missing: the files that were not found, each once, and how.
    ///   - total: how many files there should be.
    ///   - began: when the look began.
    ///   - now: the instant.
    package mutating func take(
        _ missing: [(file: File, presence: Presence)], of total: Int64, began: Duration,
        at now: Duration
    ) {
        let before = named
        named = [:]
        unnamed = 0
        for (file, presence) in missing {
            if let known = before[file], named.count < MissingFiles.namedAtMost {
                named[file] = known
            }
            note(file, presence, at: now)
        }
        self.total = total
        lookedAt = began
    }

    /// Forgets files that were called lost.
    package mutating func removeLost(_ files: [File], at now: Duration) {
        for file in files { named[file] = nil }
        guard !files.isEmpty else { return }
        losses.removeAll { now - $0.at >= grace }
        losses.append(Losses(at: now, count: Int64(files.count)))
    }

    /// Whether too many files are missing, or were declared lost within the last minute, for single
    /// losses.
    private func areMany(at now: Duration) -> Bool {
        let recent = losses.reduce(0) { now - $1.at < grace ? $0 + $1.count : $0 }
        let gone = count + recent
        return gone > Int64(MissingFiles.singleFilesAtMost) && gone * 100 > total + recent
    }

    /// The conclusion from the files that are missing at an instant.
    package func verdict(at now: Duration) -> Verdict {
        guard count > 0 else { return .whole }
        guard !areMany(at: now) else { return .held(missing: count, of: max(total, count)) }
        let due = named.values.filter(\.isReadable).map { $0.since + grace }.min()
        guard let due else { return .waits(until: now + grace) }
        guard now >= due else { return .waits(until: due) }
        // The look after the minute proves that the file is still missing, and it counts all
        // missing files.
        guard let lookedAt, lookedAt >= due else { return .needsLook }
        let lost = named.filter { $0.value.isReadable && $0.value.since + grace <= lookedAt }
        guard !lost.isEmpty else { return .needsLook }
        return .lost(lost.keys.sorted { $0.id < $1.id })
    }
}
