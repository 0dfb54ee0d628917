// The tasks that make answers: a task that has finished one takes the next, and keeps its memory.
internal import HTTPWire
internal import Platform

/// A task that makes one answer after the other; touched on the server's loop only.
@safe final class AnswerTask {
    /// The work of an answer, and the connection that waits for it.
    typealias Work = (body: @Sendable () async -> Response, token: ConnectionToken)

    fileprivate var next: Work?
    /// The task, through which its work is cancelled.
    fileprivate let task: Task<Void, Never>
    /// The suspended task, while it waits for work.
    fileprivate var waiter: UnsafeContinuation<Void, Never>?

    fileprivate init(_ next: Work, in task: Task<Void, Never>) {
        self.next = next
        self.task = task
    }

    /// Takes the task's next work.
    fileprivate func takeNext() -> Work? {
        defer { next = nil }
        return next
    }

    /// Resumes the task, if it waits.
    fileprivate func resume() {
        unsafe waiter?.resume()
        unsafe waiter = nil
    }
}

extension Server {
    /// The most tasks that are kept idle.
    private static let idleTasksAtMost = 128

    /// Runs the work of an answer in a task that is idle, or in a new one.
    ///
    /// - Returns: what ends the work early by its cancellation.
    func perform(
        _ body: @escaping @Sendable () async -> Response, for token: ConnectionToken
    ) -> Task<Void, Never> {
        if let idle = idleTasks.popLast() {
            idle.next = (body, token)
            idle.resume()
            return idle.task
        }
        // On the loop: a thread hop costs more than most answers.
        let task = Task(executorPreference: loop) { await self.performAll() }
        startingTasks.append(AnswerTask((body, token), in: task))
        return task
    }

    /// Runs the work of the task that was started first, then all further work that it is given.
    private func performAll() async {
        // Jobs of the loop run in the order in which they came.
        let task = startingTasks.removeFirst()
        while let work = task.takeNext() {
            finish(await work.body(), for: work.token)
            // A cancelled task stays cancelled, so it cannot take further work.
            guard !Task.isCancelled, !isDraining, idleTasks.count < Server.idleTasksAtMost else {
                return
            }
            // Safe because it is resumed where it is taken out, and nowhere else.
            unsafe await withUnsafeContinuation { waiter in
                unsafe task.waiter = waiter
                // A drain that began in a turn before this closure runs has ended the idle tasks.
                if isDraining { task.resume() } else { idleTasks.append(task) }
            }
        }
    }

    /// Ends the tasks that wait for work.
    func endIdleTasks() {
        for task in idleTasks { task.resume() }
        idleTasks = []
    }
}
