/// Runs downloads at once, in the order of their creation.
struct FIFO: Scheduler {
    let name = "FIFO"

    mutating func order(_ yard: Yard, at now: Int) -> [Int] { yard.due }
}
