// Checks placed files that were written to since their bytes were proved.
internal import Base
internal import Crypto
internal import Downloads
internal import HTTPWire
internal import Platform
internal import Synchronization

/// Digests such files: each state of a file once, for all its readers.
final class PlacedFileChecks: Sendable {
    /// The result of the check.
    enum Verdict: Sendable {
        /// The bytes are those of the download.
        case same
        /// The bytes differ from those of the download.
        case changed
        /// A program writes to the file, or it cannot be read.
        case unsettled
    }

    /// A state of a file.
    private struct Key: Hashable {
        let id: Identifier
        let facts: String
    }

    private final class Check: Sendable {
        let verdict = Mutex<Verdict?>(nil)
    }

    /// The most files that are read at once, because each keeps a thread busy.
    private static let checksAtMost = 2
    /// The time for which a reader waits; the check continues without it.
    private static let patience = Duration.seconds(10)
    private static let pieceBytes = 1 << 18

    private let running = Mutex<[Key: Check]>([:])
    private let tasks = TaskOwner()
    private let facts: @Sendable (FileRegion) -> FileFacts?

    /// Creates checks without results.
    ///
    /// - Parameter facts: of an open file.
    init(facts: @escaping @Sendable (FileRegion) -> FileFacts?) { self.facts = facts }

    /// Judges a file.
    ///
    /// - Parameters:
    ///   - id: the download.
    ///   - file: open; all of it.
    ///   - now: the facts of the open file.
    ///   - digest: SHA-256 of the download's bytes, 64 hexadecimal digits.
    ///   - note: records what was found; called once, before readers hear of it.
    /// - Returns: nil if it takes longer, or too many others are checked.
    func verdict(
        on id: Identifier, _ file: FileRegion, _ now: FileFacts, digest: String,
        note: @escaping @Sendable (Verdict) async -> Void
    ) async -> Verdict? {
        let key = Key(id: id, facts: now.text)
        let (check, isNew) = running.withLock { running -> (Check?, Bool) in
            if let check = running[key] { return (check, false) }
            guard running.count < PlacedFileChecks.checksAtMost else { return (nil, false) }
            let check = Check()
            running[key] = check
            return (check, true)
        }
        guard let check else { return nil }
        if isNew {
            tasks.start {
                let verdict = await self.read(file, now, digest: digest)
                await note(verdict)
                check.verdict.withLock { $0 = verdict }
                _ = self.running.withLock { $0.removeValue(forKey: key) }
            }
        }
        let end = ContinuousClock.now + PlacedFileChecks.patience
        var pause = Duration.milliseconds(1)
        while ContinuousClock.now < end {
            if let verdict = check.verdict.withLock(\.self) { return verdict }
            await Alarm().wait(upTo: pause)
            pause = min(pause * 2, .milliseconds(200))
        }
        return check.verdict.withLock(\.self)
    }

    private func read(
        _ file: FileRegion, _ before: FileFacts, digest: String
    ) async -> Verdict {
        var hash = SHA256()
        var next: Int64 = 0
        while next < file.length {
            let count = Int(min(Int64(PlacedFileChecks.pieceBytes), file.length - next))
            guard
                let bytes = PositionedRead.bytes(
                    of: file.descriptor, at: file.offset + next, count: count)
            else { return .unsettled }
            hash.update(bytes)
            next += Int64(count)
            await Task.yield()
        }
        guard facts(file) == before else { return .unsettled }
        return hash.finalizeText() == digest ? .same : .changed
    }
}
