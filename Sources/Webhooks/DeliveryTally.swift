// Counts of delivery attempts since the start of the process, for metrics.
package import Downloads
internal import Synchronization

/// Counts attempts by the outcome of their delivery.
package final class DeliveryTally: Sendable {
    /// The outcome of a delivery.
    package enum Outcome: String, Sendable, CaseIterable {
        /// Answered with 2xx.
        case succeeded
        /// It will be tried again.
        case retried
        /// It was tried the allowed number of times, or cannot be sent.
        case exhausted
        /// It is no longer tried: the endpoint is gone or disabled, or its URL is paused after a
        /// 410.
        case abandoned
    }

    private struct State {
        var counts: [Outcome: Int64] = [:]
        var gone: Int64 = 0
        var disabled: [String: Int64] = ["gone": 0, "failing": 0]
        var hooks: [String: Int64] = [:]
        var notices: [NoticeFormat: Int64] = [:]
        var counted: Int64 = 0
    }

    private let state = Mutex(State())

    init() {}

    func count(_ outcome: Outcome, _ number: Int = 1) {
        state.withLock { $0.counts[outcome, default: 0] += Int64(number) }
    }

    func countDisabled(_ reason: String) {
        state.withLock { $0.disabled[reason, default: 0] += 1 }
    }

    /// The number of times that an endpoint was disabled, by the reason.
    package var endpointsDisabled: [(reason: String, count: Int64)] {
        state.withLock { $0.disabled.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
    }

    func countHook(_ answer: String) {
        state.withLock { $0.hooks[answer, default: 0] += 1 }
    }

    /// The number of begin hooks by answer; `none` for no answer.
    package var hookAnswers: [(answer: String, count: Int64)] {
        state.withLock { state in
            (BeginAnswer.dispositions + ["none"]).map { ($0, state.hooks[$0] ?? 0) }
        }
    }

    func countNotice(_ format: NoticeFormat, counting others: Int) {
        state.withLock {
            $0.notices[format, default: 0] += 1
            $0.counted += Int64(others)
        }
    }

    /// The number of messages to people that arrived, by format.
    package var notices: [(format: NoticeFormat, count: Int64)] {
        state.withLock { state in
            NoticeFormat.allCases.filter(\.isForPeople).map { ($0, state.notices[$0] ?? 0) }
        }
    }

    /// The number of events that such messages only counted.
    package var countedInNotices: Int64 { state.withLock { $0.counted } }

    func countGone() { state.withLock { $0.gone += 1 } }

    /// The number of deliveries with this outcome.
    package func ended(_ outcome: Outcome) -> Int64 {
        state.withLock { $0.counts[outcome] ?? 0 }
    }

    /// The number of 410 Gone answers.
    package var receiversGone: Int64 { state.withLock { $0.gone } }
}
