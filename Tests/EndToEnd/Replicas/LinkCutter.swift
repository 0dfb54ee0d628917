// Chooses the message to the database that is lost next.
import Support
import Synchronization

/// Breaks connections so that each message is lost on its way there, and each answer on its way
/// back: every statement of every commit, and COMMIT itself.
final class LinkCutter: Sendable {
    /// The number of times that a message, and its answer, was lost.
    private struct Losses {
        var before = 0
        var behind = 0

        var all: Int { before + behind }
    }

    private struct State {
        var losses: [String: Losses] = [:]
        /// For each link with an awaited loss: the number of messages that have passed since it was
        /// asked for.
        var passed: [Int: Int] = [:]
        /// The number of connections that were broken.
        var count = 0
    }

    private let state = Mutex(State())

    /// The length of a statement's beginning that tells it from others.
    private static let length = 1500
    /// The number of passed messages after which a message that was lost once more often may be
    /// lost again.
    private static let step = 20

    /// Lets one of a link's next messages be lost, preferably one that was lost less often than
    /// others.
    func arm(_ link: Int) { state.withLock { $0.passed[link] = 0 } }

    /// Lets none of a link's next messages be lost.
    func disarm(_ link: Int) { state.withLock { $0.passed[link] = nil } }

    /// The fate of a message.
    ///
    /// - Parameters:
    ///   - text: its statement.
    ///   - link: the link that it passes; links are armed one by one, their losses are counted
    ///     together.
    /// - Returns: whether it, or its answer, is lost.
    func fate(of text: String, on link: Int) -> DatabaseLink.Fate {
        let message = String(text.prefix(LinkCutter.length))
        return state.withLock { state in
            var losses = state.losses[message] ?? Losses()
            defer { state.losses[message] = losses }
            guard let passed = state.passed[link] else { return .pass }
            guard losses.all <= passed / LinkCutter.step else {
                state.passed[link] = passed + 1
                return .pass
            }
            state.passed[link] = nil
            state.count += 1
            // The direction that was lost less often is chosen; at the first loss both are equally
            // frequent.
            let isEven = losses.before == losses.behind && state.count % 2 == 0
            if isEven || losses.before < losses.behind {
                losses.before += 1
                return .loseRequest
            }
            losses.behind += 1
            return .loseAnswer
        }
    }

    /// The writing statements that were not lost in both directions: creates, claims, ends,
    /// deliveries, COMMIT.
    ///
    /// A round is recognised by its last statement: that of a claim settles lanes, that of
    /// deliveries erases data that they do not need any more.
    var missing: [String] {
        state.withLock { state in
            LinkCutter.writes.filter { word in
                let found = state.losses.filter { $0.key.contains(word) }.values
                return !found.contains { $0.before > 0 } || !found.contains { $0.behind > 0 }
            }
        }
    }

    private static let writes = [
        "lull_enter_lanes", "lull_settle_lanes", "lull_finish",
        "UPDATE deliveries d SET url = NULL",
        "COMMIT",
    ]

    /// The counts as a line of the log.
    var summary: String {
        state.withLock { state in
            let all = state.losses.values
            let (before, behind) = all.reduce((0, 0)) { ($0.0 + $1.before, $0.1 + $1.behind) }
            let kinds = all.filter { $0.before > 0 && $0.behind > 0 }.count
            return "\(before) messages and \(behind) answers lost, both of \(kinds) of \(all.count)"
        }
    }
}
