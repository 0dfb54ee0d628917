// A loop whose turns are those of an actor.

extension EventLoop {
    /// Takes the queue with the turns of the actor whose executor this loop is; see
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
    /// Whether an actor is served by an event loop: work that is started there waits for other
    /// short jobs, and never for a system call that blocks.
    package static func runs(_ actor: any Actor) -> Bool {
        unsafe actor.unownedExecutor.asSerialExecutor() is EventLoop
    }
}
