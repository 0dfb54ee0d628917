// When plans that serve all calls of a statement are made anew; pure.

/// When a session forgets its plans: soon after it began, then less and less often, and not before
/// it was used for a while.
///
/// A plan that was made for empty tables would read whole tables once they have grown, until
/// PostgreSQL has analyzed them. A session that does little keeps its plans: they cost it more than
/// anything else.
struct PlanAge {
    /// The first plans are used for so long, in nanoseconds.
    static let first: Int64 = 1_000_000_000
    /// No plan is used for longer where there are calls enough.
    static let longest: Int64 = 64_000_000_000
    /// Plans are used for so many calls at least.
    static let callsAtLeast = 256

    private var age = PlanAge.first
    private var due: Int64
    private var calls = 0

    /// - Parameter now: when the session began, in nanoseconds of any steady clock.
    init(from now: Int64) { due = now + PlanAge.first }

    /// Counts a call, before which the plans are to be forgotten if the answer is yes.
    ///
    /// The next ones are used for twice as long.
    mutating func isOver(at now: Int64) -> Bool {
        calls += 1
        guard now >= due, calls > PlanAge.callsAtLeast else { return false }
        age = min(2 * age, PlanAge.longest)
        due = now + age
        calls = 0
        return true
    }
}
