/// Chooses what runs in a simulated fortnight.
protocol Scheduler {
    /// As the table calls it.
    var name: String { get }
    /// Whether what runs may be stopped without loss.
    var isPreemptive: Bool { get }

    /// What should run, the most urgent first; slots and origins limit it.
    ///
    /// - Parameters:
    ///   - yard: the state of all downloads that were created.
    ///   - now: the minute.
    /// - Returns: numbers of downloads.
    mutating func order(_ yard: Yard, at now: Int) -> [Int]

    /// What all transfers had together in a minute, in bytes.
    mutating func observe(total: Double, running: Int, at now: Int)

    /// A download whose attempt is over: its file is whole, or the transfer broke.
    mutating func learn(_ job: Job, at now: Int)
}

extension Scheduler {
    var isPreemptive: Bool { false }
    mutating func observe(total: Double, running: Int, at now: Int) {}
    mutating func learn(_ job: Job, at now: Int) {}
}
