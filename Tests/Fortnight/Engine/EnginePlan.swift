// The facts by which the engine decides in a simulated world: prices as they are pushed, and the
// calendar.
import Base
import Scheduling

/// The conditions and the calendar of a simulated world.
struct EnginePlan {
    /// The minute of the day at which the prices of the next day are known.
    private static let auction = 13 * 60

    private let policy: Policy
    private let preference: Preference?
    private var conditions: ConditionBook
    private var bookedAt: Int?
    private var pushedAt: Int?

    init(_ policy: Policy) {
        self.policy = policy
        preference = policy.rules.compactMap(\.preference).first
        conditions = ConditionBook(policy, at: World.instant(0))
    }

    /// Whether the policy prefers hours.
    var hasPreference: Bool { preference != nil }

    /// Applies the pushes up to a minute.
    ///
    /// - Returns: whether a calendar is due.
    mutating func advance(_ world: World, to now: Int) -> Bool {
        guard let preference else { return false }
        let day = 24 * 60
        let isTomorrowKnown = now % day >= EnginePlan.auction
        let push = now / day * day + (isTomorrowKnown ? EnginePlan.auction : 0)
        if pushedAt.map({ $0 < push }) ?? true {
            pushedAt = push
            bookedAt = nil
            let end = (now / day + (isTomorrowKnown ? 2 : 1)) * 24
            let steps = (now / 60..<end).map {
                ConditionPush.Step(
                    from: World.instant($0 * 60), value: .number(world.price($0 * 60)))
            }
            conditions.take(
                ConditionPush(
                    value: .number(world.price(now)), pushedAt: World.instant(now),
                    schedule: steps), of: preference.condition, at: World.instant(now))
        }
        guard bookedAt.map({ now >= $0 + 15 }) ?? true else { return false }
        bookedAt = now
        return true
    }

    /// Books hours for the waiting downloads.
    mutating func book(_ lanes: [CalendarLane], _ learned: LearnedFacts, at now: Int) {
        conditions.book(lanes, in: situation(learned, at: now))
    }

    /// All facts at a minute.
    func situation(_ learned: LearnedFacts, at now: Int) -> Situation {
        Situation(
            now: World.instant(now), policy: policy, zone: .fixed(offset: 0),
            conditions: conditions, learned: learned)
    }
}

extension World {
    /// Monday 2 March 2026 at 00:00 in the zone of the policy, which is UTC here.
    private static let start = Timestamp(seconds: 1_772_409_600)

    /// The instant of a minute.
    static func instant(_ minute: Int) -> Timestamp { start + .seconds(60 * minute) }

    /// The minute of an instant.
    static func minute(_ instant: Timestamp) -> Int {
        Int((instant - start).wholeMicroseconds / 60_000_000)
    }

    /// An origin's name.
    static func originName(_ origin: Int) -> String { "https://origin-\(origin).example:443" }
}
