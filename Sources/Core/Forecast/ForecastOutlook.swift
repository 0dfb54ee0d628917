// What a forecast says: of single downloads, and of hours.

/// A finished forecast.
package struct ForecastOutlook: Sendable {
    /// What is expected of one download.
    package struct Expectation: Equatable, Sendable {
        /// Seconds to its begin.
        package var begin: ForecastRange
        /// Seconds to its end, as often earlier as later.
        package var end: Double
        /// The share of futures in which it is complete in time; nil without a deadline.
        package var meetsDeadline: Double?
    }

    /// What is expected of an hour.
    package struct Hour: Equatable, Sendable {
        /// When it begins.
        package var from: Timestamp
        /// Bytes that come.
        package var bytes: ForecastRange
        /// How many run, on average.
        package var running: Double
    }

    /// Hours that are shown.
    package static let hoursAtMost = 72

    /// When it was made.
    package let now: Timestamp
    /// How many futures it is made of.
    package let seeds: Int
    /// How many downloads wait.
    package let waiting: Int
    /// Whether all that waits is in it.
    package let isWhole: Bool
    /// Conditions whose future is not known.
    package let unknownConditions: [String]
    /// How many rates and sizes it rests on, old ones counted for less.
    package let samples: Int
    /// The next hours; every answer shows them, so they are summed up once.
    package let hours: [Hour]
    private let begins: [[[ForecastSeed.Begin]]]
    /// The app of each lane.
    private let apps: [Int64]
    private let places: [Int64: Int]
    private let batches: [[ForecastLane.Batch]]
    private let unknown: Set<Int>
    private typealias Order = [(at: Float, number: Int32, before: Int)]
    /// Of the first future: the begins of each class in order, with how many there were before.
    private let order: [SchedulingClass: Order]
    /// The order of begins among the lanes of each app.
    private let ownOrder: [AppClass: Order]

    private struct AppClass: Hashable {
        let kind: SchedulingClass
        let app: Int64
    }

    init(
        _ input: ForecastInput, begins: [[[ForecastSeed.Begin]]], unknown: Set<Int>,
        isWhole: Bool
    ) {
        now = input.situation.now
        seeds = begins.count
        waiting = input.waiting
        self.isWhole = isWhole
        self.begins = begins
        apps = input.lanes.map(\.flow.app)
        hours = ForecastOutlook.hours(from: now, begins, lanes: Array(input.lanes.indices))
        self.unknown = unknown
        places = Dictionary(
            input.lanes.enumerated().map { ($0.element.number, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        batches = input.lanes.map(\.batches)
        order = ForecastOutlook.order(input.lanes, begins[0]) { $0.candidate.schedulingClass }
        ownOrder = ForecastOutlook.order(input.lanes, begins[0]) {
            AppClass(kind: $0.candidate.schedulingClass, app: $0.flow.app)
        }
        unknownConditions = ForecastOutlook.unknownConditions(input.situation)
        let learned = input.situation.learned
        let known = [LearnedMeasure.rate, .size].compactMap {
            learned[$0].known(of: [.all], at: input.situation.now)?.weight
        }
        samples = Int(known.reduce(0, +))
    }

    /// What is expected of a download.
    ///
    /// - Parameters:
    ///   - lane: the lane in which it waits.
    ///   - position: how many of the lane are before it.
    ///   - deadline: by when it is to be complete.
    /// - Returns: nil where nothing is known of it.
    package func expectation(
        lane: Int64, position: Int, deadline: Timestamp? = nil
    ) -> Expectation? {
        guard let place = places[lane] else { return nil }
        var starts: [Double] = []
        var ends: [Double] = []
        for seed in begins {
            guard let begin = ForecastOutlook.find(position, in: seed[place]) else { continue }
            starts.append(begin.at)
            ends.append(begin.end)
        }
        // One that begins in some futures only is not known to begin.
        guard starts.count == begins.count else { return nil }
        let limit = deadline.map { Double(($0 - now).wholeMicroseconds) / 1e6 }
        return Expectation(
            begin: ForecastRange(starts), end: ForecastRange(ends).p50,
            meetsDeadline: limit.map { limit in
                Double(ends.count { $0 <= limit }) / Double(ends.count)
            })
    }

    /// What is expected of a download that waits.
    ///
    /// - Parameter candidate: with its lane, and how many of that are before it.
    /// - Returns: nil where nothing is known of it.
    package func expectation(of candidate: AdmissionCandidate) -> Expectation? {
        guard let lane = candidate.lane, let place = places[lane] else { return nil }
        return expectation(
            lane: lane, position: position(of: candidate, in: place),
            deadline: candidate.deadline.complete)
    }

    /// How many of its lane are before a download.
    private func position(of candidate: AdmissionCandidate, in place: Int) -> Int {
        var position = candidate.before ?? 0
        if position > AdmissionCandidate.beforeAtMost {
            // Not counted any further: by its instant among those of its lane.
            var before = 0.0
            for batch in batches[place] where batch.runAt <= candidate.runAt {
                let hours = Double((candidate.runAt - batch.runAt).wholeMicroseconds) / 3.6e9
                before += Double(batch.count) * min(1, hours)
            }
            position = max(position, Int(before))
        }
        // What has come since the forecast was made is last.
        return min(position, batches[place].reduce(0) { $0 + $1.count } - 1)
    }

    /// How many downloads of a download's class begin before it, by the first future: those of its
    /// app, and all; nil where nothing is known of it.
    package func place(of candidate: AdmissionCandidate) -> (own: Int, all: Int)? {
        guard let lane = candidate.lane, let place = places[lane],
            let (begin, inside) = ForecastOutlook.entry(
                position(of: candidate, in: place), in: begins[0][place])
        else { return nil }
        let kind = candidate.schedulingClass
        func count(_ list: Order?) -> Int {
            // Those behind the first of a begin come one after the other.
            inside == 0
                ? ForecastOutlook.count(list ?? [], before: (begin.at, begin.number))
                : ForecastOutlook.count(
                    list ?? [], before: (begin.at + Float(inside) * begin.length, 0))
        }
        return (count(ownOrder[AppClass(kind: kind, app: apps[place])]), count(order[kind]))
    }

    /// How many downloads of a class begin before an instant, by the first future.
    package func count(of kind: SchedulingClass, before seconds: Double) -> Int {
        ForecastOutlook.count(order[kind] ?? [], before: (Float(seconds), 0))
    }

    /// How many downloads of an app wait.
    package func waiting(of app: Int64) -> Int {
        zip(apps, batches).reduce(0) { sum, lane in
            lane.0 == app ? sum + lane.1.reduce(0) { $0 + $1.count } : sum
        }
    }

    /// The next hours of the downloads of an app.
    ///
    /// - Complexity: O(n) in the begins of its lanes.
    package func hours(of app: Int64) -> [Hour] {
        ForecastOutlook.hours(from: now, begins, lanes: apps.indices.filter { apps[$0] == app })
    }

    private static func count(_ list: Order, before key: (at: Float, number: Int32)) -> Int {
        var low = 0
        var high = list.count
        while low < high {
            let middle = (low + high) / 2
            if (list[middle].at, list[middle].number) < key {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < list.count ? list[low].before : 0
    }

    /// The next hours, by what is waiting in some lanes and comes to run in them.
    private static func hours(
        from now: Timestamp, _ begins: [[[ForecastSeed.Begin]]], lanes: [Int]
    ) -> [Hour] {
        var bytes = Array(
            repeating: Array(repeating: 0.0, count: begins.count), count: hoursAtMost)
        var running = bytes
        for (number, seed) in begins.enumerated() {
            // Behind them are those that have not come yet.
            for lane in lanes {
                for begin in seed[lane] {
                    spread(begin, over: hoursAtMost) { hour, part, seconds in
                        bytes[hour][number] += part * Double(begin.bytes) * Double(begin.count)
                        running[hour][number] += seconds / 3600
                    }
                }
            }
        }
        return (0..<hoursAtMost).map { hour in
            Hour(
                from: now + .seconds(3600 * hour), bytes: ForecastRange(bytes[hour]),
                running: ForecastRange(running[hour]).p50)
        }
    }

    /// The hours in which some downloads run, with the part of them and the seconds in each.
    private static func spread(
        _ begin: ForecastSeed.Begin, over hours: Int, _ body: (Int, Double, Double) -> Void
    ) {
        let length = max(0.001, Double(begin.length) * Double(begin.count))
        let end = Double(begin.at) + length
        var hour = Int(Double(begin.at) / 3600)
        while hour < hours, Double(hour) * 3600 < end {
            let from = max(Double(begin.at), Double(hour) * 3600)
            let seconds = min(end, Double(hour + 1) * 3600) - from
            body(hour, seconds / length, seconds)
            hour += 1
        }
    }

    /// Seconds to the begin and the end of the one at a position.
    private static func find(
        _ position: Int, in begins: [ForecastSeed.Begin]
    ) -> (at: Double, end: Double)? {
        guard let (begin, inside) = entry(position, in: begins) else { return nil }
        let at = Double(begin.at) + Double(inside) * Double(begin.length)
        return (at, at + Double(begin.length))
    }

    /// The begin in which the one at a position is, and how many of that are before it.
    private static func entry(
        _ position: Int, in begins: [ForecastSeed.Begin]
    ) -> (begin: ForecastSeed.Begin, inside: Int)? {
        var low = 0
        var high = begins.count
        while low < high {
            let middle = (low + high) / 2
            if Int(begins[middle].position) <= position {
                low = middle + 1
            } else {
                high = middle
            }
        }
        guard low > 0 else { return nil }
        let begin = begins[low - 1]
        let inside = position - Int(begin.position)
        // One behind the last that is known to begin.
        return inside < Int(begin.count) ? (begin, inside) : nil
    }

    private static func order<Key: Hashable>(
        _ lanes: [ForecastLane], _ begins: [[ForecastSeed.Begin]],
        by key: (ForecastLane) -> Key
    ) -> [Key: Order] {
        var found: [Key: Order] = [:]
        for (lane, list) in zip(lanes, begins) {
            for begin in list {
                found[key(lane), default: []].append(
                    (begin.at, begin.number, Int(begin.count)))
            }
        }
        return found.mapValues { list in
            var before = 0
            var order: Order = []
            for entry in list.sorted(by: { ($0.at, $0.number) < ($1.at, $1.number) }) {
                order.append((entry.at, entry.number, before))
                before += entry.before
            }
            // Behind all of them.
            order.append((.infinity, .max, before))
            return order
        }
    }

    private static func unknownConditions(_ situation: Situation) -> [String] {
        let names = situation.policy.allRules.flatMap(\.requirements).compactMap { requirement in
            situation.state(of: requirement).isForeseen ? nil : requirement.condition
        }
        return Set(names).sorted()
    }
}
