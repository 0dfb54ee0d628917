// Joins concurrent questions in one statement: those asked while a statement is in progress share
// the next one.
internal import Platform
internal import Synchronization

/// Gathers questions into batches.
///
/// Not an actor, because each question would pay a change of thread to enter a list.
final class Coalescer<Question: Sendable, Answer: Sendable>: Sendable {
    /// The bounds of a coalescer.
    struct Limits: Sendable {
        /// The most questions that wait for their answer; further ones are refused.
        var pending = 8192
        /// The most questions of one statement.
        var batch = 64
        /// The most concurrent statements.
        var statements = 2
        /// The greatest total weight of waiting questions.
        var pendingWeight = Int.max
        /// The greatest total weight of the questions of a statement, unless a single one is
        /// heavier.
        var batchWeight = Int.max
    }

    /// A class, because it moves between lists and questions may be large.
    @safe private final class Entry: Sendable {
        let question: Question
        let weight: Int
        private let done: UnsafeContinuation<Answer?, Never>

        init(_ question: Question, weight: Int, _ done: UnsafeContinuation<Answer?, Never>) {
            self.question = question
            self.weight = weight
            unsafe self.done = done
        }

        /// Called once, by the code that took the entry from the list or could not put it there.
        func answer(_ answer: consuming sending Answer?) {
            unsafe done.resume(returning: answer)
        }
    }

    private struct State {
        var pending: [Entry] = []
        var pendingWeight = 0
        var statements = 0
    }

    private let limits: Limits
    private let weight: @Sendable (Question) -> Int
    private let answers: @Sendable ([Question]) async -> [Answer]
    private let tasks = TaskOwner()
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limits: its bounds.
    ///   - weight: of a question, in the unit of the bounds; at least 0.
    ///   - answers: carries a statement out; one answer for each question, in their order.
    init(
        _ limits: Limits, weight: @escaping @Sendable (Question) -> Int = { _ in 0 },
        answers: @escaping @Sendable ([Question]) async -> [Answer]
    ) {
        self.limits = limits
        self.weight = weight
        self.answers = answers
    }

    /// Asks a question, and returns an answer that was read after the call; nil if too many wait.
    func ask(_ question: Question, on actor: isolated (any Actor)? = #isolation) async -> Answer? {
        // Safe because an entry is refused or put into the list, from which it is taken once.
        unsafe await withUnsafeContinuation { done in
            let entry = unsafe Entry(question, weight: weight(question), done)
            switch enter(entry) {
            case .waits: break
            case .needsStatement: startWork(on: actor)
            case .isFull: entry.answer(nil)
            }
        }
    }

    /// Starts the work in a task of its own, because the end of the asking task must not end the
    /// questions of others.
    ///
    /// On an event loop it starts after the other questions of this turn, without waking a thread.
    private func startWork(on actor: isolated (any Actor)?) {
        if let loop = actor, EventLoop.runs(loop) {
            tasks.start(here: actor) { await self.work() }
        } else {
            tasks.start { await self.work() }
        }
    }

    private enum Entering { case waits, needsStatement, isFull }

    private func enter(_ entry: Entry) -> Entering {
        state.withLock { state in
            let weight = state.pendingWeight + entry.weight
            guard state.pending.count < limits.pending, weight <= limits.pendingWeight else {
                return .isFull
            }
            state.pending.append(entry)
            state.pendingWeight = weight
            // A second statement would only halve both batches, unless one batch cannot hold all
            // waiting questions.
            let isShort = state.statements == 0 || state.pending.count > limits.batch
            guard isShort, state.statements < limits.statements else { return .waits }
            state.statements += 1
            return .needsStatement
        }
    }

    private func work() async {
        while let batch = nextBatch() {
            for (entry, answer) in zip(batch, await answers(batch.map(\.question))) {
                entry.answer(answer)
            }
        }
    }

    /// The questions asked since; nil ends the work, in one step with the check that none waits.
    private func nextBatch() -> [Entry]? {
        state.withLock { state in
            guard !state.pending.isEmpty else {
                state.statements -= 1
                return nil
            }
            var (count, weight) = (0, 0)
            for entry in state.pending.prefix(limits.batch) {
                guard count == 0 || weight + entry.weight <= limits.batchWeight else { break }
                count += 1
                weight += entry.weight
            }
            let batch = Array(state.pending.prefix(count))
            state.pending.removeFirst(count)
            state.pendingWeight -= weight
            return batch
        }
    }
}
