// Shutting the server down.
internal import Platform

extension Server {
    /// Stops accepting connections, answers the requests in progress, and closes.
    ///
    /// The tasks of streamed bodies are cancelled; they can still write their end.
    /// Answers from now on carry `Connection: close`, idle connections end at once. Afterwards the
    /// server is closed for good; a second call returns at once.
    ///
    /// - Parameter grace: how long to wait for answers under way; then their tasks are cancelled.
    /// - Returns: true if everything was answered within the grace.
    @discardableResult
    package func drain(grace: Duration) async -> Bool {
        guard !isDraining, epoll != nil else { return true }
        readClocks()
        sendAnswers()
        // Clients in the listen queue have connected: accept and answer them too.
        for slot in listeners.indices { accept(slot) }
        isDraining = true
        takeArrivals()
        async let others = closeLanes(grace: grace)
        endIdleTasks()
        for listener in listeners { listener.removeFile() }
        listeners = []
        for connection in connections.compactMap(\.self) where connection.state == .reading {
            // Requests that have arrived but were not read yet are still answered.
            if receive(connection) { advance(connection) }
        }
        for connection in connections.compactMap(\.self) where connection.state == .streaming {
            connection.task?.cancel()
        }
        drainDeadline = now + max(0, ServerTimeouts.nanoseconds(grace))
        await withCheckedContinuation {
            drained = $0
            watch(drainDeadline)
            finishDrainIfDone()
        }
        let areComplete = await others
        let isComplete = areComplete && openConnections == 0 && runningTasks == 0
        for connection in connections.compactMap(\.self) { drop(connection) }
        loop.stop()
        epoll = nil
        reserve = nil
        return isComplete
    }

    /// Ends the drain once no connection is left.
    func finishDrainIfDone() {
        guard isDraining, openConnections == 0, runningTasks == 0 else { return }
        endDrain()
    }

    /// Closes the remaining connections, because the grace period is over.
    func abandon() { endDrain() }

    private func endDrain() {
        drained?.resume()
        drained = nil
    }
}
