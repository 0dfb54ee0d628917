// When a file that is not found counts as lost: never by one look, and never many at once.

/// The files that a data directory should have and that were not found there.
///
/// A file counts as lost after it was missing for a minute and a look through all files of the data
/// directory has found no more missing than single files can be. Where more are missing, the
/// volume may be away: nothing counts as lost then, until the files are back or an operator says
/// that they do not come back. Instants are durations of a clock that never jumps.
package struct MissingFiles: Sendable, Equatable {
    /// One file, by its row.
    package struct File: Hashable, Sendable {
        /// The download.
        package let id: Identifier
        /// The attempt.
        package let fence: Int64

        /// Names a file.
        package init(id: Identifier, fence: Int64) {
            self.id = id
            self.fence = fence
        }
    }

    /// How a file was found.
    package enum Sighting: Hashable, Sendable {
        /// It is there with its length.
        case there
        /// Its folder is there without it, or with another length.
        case missing
        /// Its folder is not there, or cannot be read: this says nothing about the file.
        case unreadable
    }

    /// The consequence of the missing files.
    package enum Verdict: Hashable, Sendable {
        /// Every file is there, as far as is known.
        case whole
        /// Look at the missing ones again; at this instant, through all files.
        case waits(until: Duration)
        /// A look through all files has to come first.
        case needsLook
        /// Too large a part is missing: no file counts as lost.
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

    /// A file counts as lost after it was missing for so long.
    package static let grace = Duration.seconds(60)
    /// More missing files than this, and than one in a hundred, are no single files.
    package static let singleFilesAtMost = 2
    /// Files that are remembered by their names; more are counted.
    package static let namedAtMost = 100_000

    /// For how long a file has to be missing.
    package let grace: Duration
    private var named: [File: Missing] = [:]
    /// Missing files beyond those that are named.
    private var unnamed: Int64 = 0
    /// How many files the data directory should have, by the last look through all.
    private var total: Int64 = 0
    /// When the last look through all files began.
    private var lookedAt: Duration?
    /// Files that were called lost within the last grace, the youngest last.
    private var losses: [Losses] = []

    /// Nothing is known yet.
    package init(grace: Duration = MissingFiles.grace) { self.grace = grace }

    /// How many files are missing, as far as is known.
    package var count: Int64 { Int64(named.count) + unnamed }

    /// The files that are remembered as missing, in the order of their names.
    package var files: [File] { named.keys.sorted { $0.id < $1.id } }

    /// Notes what one file was found as.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - sighting: how it was found.
    ///   - now: the instant.
    package mutating func note(_ file: File, _ sighting: Sighting, at now: Duration) {
        guard sighting != .there else {
            named[file] = nil
            return
        }
        let isReadable = sighting == .missing
        if let known = named[file] {
            // A file that could not be read has not been missing in that time.
            if known.isReadable != isReadable {
                named[file] = Missing(since: now, isReadable: isReadable)
            }
        } else if named.count < MissingFiles.namedAtMost {
            named[file] = Missing(since: now, isReadable: isReadable)
        } else {
            unnamed += 1
        }
    }

    /// Takes the result of a look through all files in the place of what was known.
    ///
    /// - Parameters:
    ///   - missing: the files that were not found, each once, and how.
    ///   - total: how many files there should be.
    ///   - began: when the look began.
    ///   - now: the instant.
    package mutating func take(
        _ missing: [(file: File, sighting: Sighting)], of total: Int64, began: Duration,
        at now: Duration
    ) {
        let before = named
        named = [:]
        unnamed = 0
        for (file, sighting) in missing {
            if let known = before[file], named.count < MissingFiles.namedAtMost {
                named[file] = known
            }
            note(file, sighting, at: now)
        }
        self.total = total
        lookedAt = began
    }

    /// Forgets files that were called lost.
    package mutating func lose(_ files: [File], at now: Duration) {
        for file in files { named[file] = nil }
        guard !files.isEmpty else { return }
        losses.removeAll { now - $0.at >= grace }
        losses.append(Losses(at: now, count: Int64(files.count)))
    }

    /// Whether more are missing, or were called lost within the last minute, than single files.
    private func areMany(at now: Duration) -> Bool {
        let recent = losses.reduce(0) { now - $1.at < grace ? $0 + $1.count : $0 }
        let gone = count + recent
        return gone > Int64(MissingFiles.singleFilesAtMost) && gone * 100 > total + recent
    }

    /// The consequence of the files that are missing now.
    package func verdict(at now: Duration) -> Verdict {
        guard count > 0 else { return .whole }
        guard !areMany(at: now) else { return .held(missing: count, of: max(total, count)) }
        let due = named.values.filter(\.isReadable).map { $0.since + grace }.min()
        guard let due else { return .waits(until: now + grace) }
        guard now >= due else { return .waits(until: due) }
        // One look after the minute: what was missing then is missing still, and all are counted.
        guard let lookedAt, lookedAt >= due else { return .needsLook }
        let lost = named.filter { $0.value.isReadable && $0.value.since + grace <= lookedAt }
        guard !lost.isEmpty else { return .needsLook }
        return .lost(lost.keys.sorted { $0.id < $1.id })
    }
}
