// The age at which the generic plans of a session are discarded; pure.

/// Decides when a session discards its plans: soon after it began, then at doubling intervals, and
/// only after a number of calls.
///
/// A plan that was made for empty tables would read whole tables once they have grown, until
/// PostgreSQL has analyzed them. A session with few calls keeps its plans, because new ones would
/// cost more than its calls.
struct PlanExpiry {
    /// The first age at which plans are discarded, in nanoseconds.
    static let first: Int64 = 1_000_000_000
    /// The longest age of plans, in nanoseconds, given enough calls.
    static let longest: Int64 = 64_000_000_000
    /// The calls of a session before its plans can be discarded again.
    static let callsAtLeast = 256

    private var age = PlanExpiry.first
    private var due: Int64
    private var calls = 0

    /// - Parameter now: when the session began, in nanoseconds of any steady clock.
    init(from now: Int64) { due = now + PlanExpiry.first }

    /// Counts a call, and returns whether the plans are to be discarded before it.
    ///
    /// The next plans may become twice as old.
    mutating func isOver(at now: Int64) -> Bool {
        calls += 1
        guard now >= due, calls > PlanExpiry.callsAtLeast else { return false }
        age = min(2 * age, PlanExpiry.longest)
        due = now + age
        calls = 0
        return true
    }
}
