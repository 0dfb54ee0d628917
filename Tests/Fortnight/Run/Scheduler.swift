/// Chooses the running downloads of a simulated fortnight.
protocol Scheduler {
    /// The name in the table.
    var name: String { get }
    /// Whether runs may be stopped without loss.
    var isPreemptive: Bool { get }

    /// The downloads that should run, the most urgent first; slots and origins limit them.
    ///
    /// - Parameters:
    ///   - yard: the state of all downloads that were created.
    ///   - now: the minute.
    /// - Returns: numbers of downloads.
    mutating func order(_ yard: Yard, at now: Int) -> [Int]

    /// Takes the bytes of all transfers in a minute.
    mutating func observe(total: Double, running: Int, at now: Int)

    /// Takes a download whose attempt is over: its file is whole, or the transfer broke off.
    mutating func learn(_ job: Job, at now: Int)
}

extension Scheduler {
    var isPreemptive: Bool { false }
    mutating func observe(total: Double, running: Int, at now: Int) {}
    mutating func learn(_ job: Job, at now: Int) {}
}
