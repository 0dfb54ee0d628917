/// First come, first served, at once.
struct FIFO: Scheduler {
    let name = "FIFO"

    mutating func order(_ yard: Yard, at now: Int) -> [Int] { yard.due }
}
