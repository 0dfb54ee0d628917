/// How calls wait and repeat.
public struct LullOptions: Sendable {
    /// How long a call may take with all its tries, besides the time for which it asks the service
    /// to hold the answer; nil for ever.
    public var deadline: Duration?
    /// How often a call is sent at most that may be repeated, at least 1.
    public var attempts: Int
    /// The longest wait between two tries; the first is a fiftieth of it.
    public var longestPause: Duration

    /// Makes options; what is left out has the usual value.
    public init(
        deadline: Duration? = .seconds(60), attempts: Int = 6, longestPause: Duration = .seconds(5)
    ) {
        self.deadline = deadline
        self.attempts = attempts
        self.longestPause = longestPause
    }
}
