/// How many downloads may run at once.
package struct PolicyLimits: Equatable, Sendable {
    /// In one replica.
    package var running: Int
    /// From one origin, over all replicas.
    package var perOrigin: Int
    /// Of one session, over all replicas.
    package var perSession: Int

    /// Sets the three.
    package init(running: Int, perOrigin: Int, perSession: Int) {
        self.running = running
        self.perOrigin = perOrigin
        self.perSession = perSession
    }
}
