// Books hours for waiting downloads while a rule has a preference.
internal import Platform
internal import Scheduling
internal import Store

/// Books every quarter of an hour, and soon after conditions or the policy changed.
struct CalendarWatch: Duty {
    let name = "calendar"
    /// The most rows of the queue that are read.
    private static let rowsAtMost = 200_000
    private static let lanesAtMost = 2048
    let spacing = Duration.seconds(2)

    func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        guard !worker.facts.conditions.calendar.preferences.isEmpty else { return .untilCalled }
        let lanes = try await worker.downloads.queue.queuedLanes(
            rows: CalendarWatch.rowsAtMost, lanes: CalendarWatch.lanesAtMost)
        let (policy, zone) = worker.facts.policy
        var book = worker.facts.conditions
        let situation = Situation(
            now: worker.clock.now, policy: policy, zone: zone, conditions: book,
            learned: worker.facts.learned)
        book.book(
            lanes.map {
                CalendarLane(
                    $0.candidate, count: $0.count, unknown: $0.unknown, bytes: $0.bytes,
                    lastRunAt: $0.lastRunAt)
            }, in: situation, replicas: worker.peers.count + 1)
        worker.facts.take(book.calendar)
        worker.log.debug(
            "preferred hours booked for waiting downloads",
            [
                ("lanes", .integer(Int64(lanes.count))),
                ("bookings", .integer(Int64(book.calendar.bookingCount))),
            ])
        worker.handle(.conditionsChanged(worker.facts.conditions))
        return .after(BookingCalendar.interval)
    }
}
