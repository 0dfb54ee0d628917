// Counts the changes that another policy would make.
internal import Base
internal import Downloads
internal import Scheduling

/// The verdicts of waiting downloads under two policies.
struct PolicyTrial {
    /// One download whose verdict changes.
    private struct Change {
        let id: Identifier
        let before: Explanation
        let after: Explanation
    }

    /// The number of judged downloads.
    private(set) var judged = 0
    /// Whether all waiting downloads were judged.
    var isWhole = false
    private var sooner = 0
    private var later = 0
    private var otherwise = 0
    private var changes: [Change] = []
    private let listedAtMost: Int

    /// Creates a trial with a bound of listed changes.
    init(listedAtMost: Int) { self.listedAtMost = listedAtMost }

    /// Takes a download with its explanations under both policies.
    mutating func take(_ id: Identifier, _ before: Explanation, _ after: Explanation) {
        judged += 1
        let isSame = before.until == after.until
        guard !isSame || before.reasons != after.reasons else { return }
        if isSame {
            otherwise += 1
        } else if (after.until ?? .distantFuture) < (before.until ?? .distantFuture) {
            sooner += 1
        } else {
            later += 1
        }
        if changes.count < listedAtMost {
            changes.append(Change(id: id, before: before, after: after))
        }
    }

    /// The body of an answer.
    func body(_ findings: [PolicyFinding]) -> JSONWriter {
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        findings.write(to: &writer)
        writer.member("judged", judged)
        writer.member("is_whole", isWhole)
        writer.key("counts")
        writer.beginObject()
        writer.member("sooner", sooner)
        writer.member("later", later)
        writer.member("otherwise", otherwise)
        writer.member("unchanged", judged - sooner - later - otherwise)
        writer.endObject()
        writer.key("changes")
        writer.beginArray()
        for change in changes {
            writer.beginObject()
            writer.member("id", change.id.text)
            for (name, side) in [("before", change.before), ("after", change.after)] {
                writer.key(any: name)
                writer.beginObject()
                writer.member("until", side.until)
                writer.key("blockers")
                writer.beginArray()
                for blocker in side.blockers { blocker.write(to: &writer) }
                writer.endArray()
                writer.endObject()
            }
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer
    }
}

extension Explanation {
    /// Its blockers, without sentences and instants.
    fileprivate var reasons: [String] {
        blockers.map { "\($0.code.rawValue) \($0.rule ?? "") \($0.isSoft)" }
    }
}

extension Timestamp {
    /// An instant later than any known one.
    fileprivate static var distantFuture: Timestamp { Timestamp(microseconds: .max) }
}
