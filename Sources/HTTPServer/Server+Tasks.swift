// The tasks of answers: one that has ended its answer takes the next, and keeps its frames' memory.
internal import HTTPWire
internal import Platform

/// A task that runs the work of one answer after the other; touched on the server's loop only.
final class AnswerTask {
    /// The work of an answer, and the connection that waits for it.
    typealias Work = (body: @Sendable () async -> Response, token: Token)

    fileprivate var next: Work?
    fileprivate var task: Task<Void, Never>?
    /// The task itself, while it waits for work.
    fileprivate var waiter: CheckedContinuation<Void, Never>?
}

extension Server {
    /// So many tasks wait for work.
    private static let idleTasksAtMost = 128

    /// Runs the work of an answer in a task that is idle, or in a new one.
    ///
    /// - Returns: what ends the work early by its cancellation.
    func perform(
        _ body: @escaping @Sendable () async -> Response, for token: Token
    ) -> Task<Void, Never>? {
        let idle = idleTasks.popLast()
        let task = idle ?? AnswerTask()
        task.next = (body, token)
        if let waiter = task.waiter {
            task.waiter = nil
            waiter.resume()
        } else {
            // On the loop: a thread hop costs more than most answers.
            task.task = Task { while await self.performNext(of: task) {} }
        }
        return task.task
    }

    /// Runs the work that is next, then waits for more.
    ///
    /// - Returns: whether there is more.
    private func performNext(of task: AnswerTask) async -> Bool {
        guard let work = task.next else { return false }
        task.next = nil
        finish(await work.body(), for: work.token)
        // One that was cancelled stays so.
        guard !Task.isCancelled, !isDraining, idleTasks.count < Server.idleTasksAtMost else {
            return false
        }
        await withCheckedContinuation { waiter in
            task.waiter = waiter
            idleTasks.append(task)
        }
        return true
    }

    /// Ends the tasks that wait for work.
    func endIdleTasks() {
        for task in idleTasks {
            task.waiter?.resume()
            task.waiter = nil
        }
        idleTasks = []
    }
}
