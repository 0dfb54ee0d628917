// Running an event loop's turns on an actor.

extension EventLoop {
    /// Takes over the queue with turns on the actor whose executor this loop is; see
    /// ``start(turn:)``.
    ///
    /// `Actor.assumeIsolated` would allocate twice for each turn.
    ///
    /// - Parameters:
    ///   - owner: the actor.
    ///   - turn: what it does in a turn, and whether it may sleep.
    package func start<Owner: Actor>(
        _ owner: Owner, turn: @escaping @Sendable (isolated Owner, _ maySleep: Bool) -> Void
    ) {
        // Safe because the types differ in isolation alone, and the executor is asked for below.
        let plain = unsafe unsafeBitCast(turn, to: (@Sendable (Owner, Bool) -> Void).self)
        start { maySleep in
            owner.preconditionIsolated()
            plain(owner, maySleep)
        }
    }
}

extension EventLoop {
    /// Whether an actor is served by an event loop: a task that is started there waits for other
    /// short jobs, and never for a blocking system call.
    package static func runs(_ actor: any Actor) -> Bool {
        unsafe actor.unownedExecutor.asSerialExecutor() is EventLoop
    }
}
