// The result of a forecast: for single downloads, and for hours.
package import Base
package import Downloads

/// A finished forecast.
package struct ForecastOutlook: Sendable {
    /// The expectation for one download.
    package struct Expectation: Equatable, Sendable {
        /// Seconds to its begin.
        package var begin: ForecastRange
        /// Seconds to its end: the median.
        package var end: Double
        /// The share of futures in which it is complete in time; nil without a deadline.
        package var meetsDeadline: Double?
    }

    /// The expectation for one hour.
    package struct Hour: Equatable, Sendable {
        /// The begin of the hour.
        package var from: Timestamp
        /// Bytes that are transferred.
        package var bytes: ForecastRange
        /// The average number of running downloads.
        package var running: Double
    }

    /// The number of hours that are shown.
    package static let hoursAtMost = 72

    /// The time at which the forecast was made.
    package let now: Timestamp
    /// The number of simulated futures.
    package let seeds: Int
    /// The number of waiting downloads.
    package let waiting: Int
    /// Whether the forecast includes all waiting downloads.
    package let isWhole: Bool
    /// The names of conditions whose future is unknown.
    package let unknownConditions: [String]
    /// The number of learned rates and sizes behind it; old ones count for less.
    package let samples: Int
    /// The begin of the present hour by the clock of the policy's zone.
    private let fullHour: Timestamp
    /// This hour and the next ones, summed up once because every answer shows them.
    package let hours: [Hour]
    private let begins: [[[ForecastFuture.Begin]]]
    /// The app of each lane.
    private let apps: [Int64]
    private let places: [Int64: Int]
    private let batches: [[ForecastLane.Batch]]
    private let unknown: Set<Int>
    private typealias Order = [(at: Float, number: Int32, before: Int)]
    /// The begins of the first future, by class and in order, each with the number of downloads
    /// that begin before it.
    private let order: [SchedulingClass: Order]
    /// The order of begins among the lanes of each app.
    private let ownOrder: [AppClass: Order]

    private struct AppClass: Hashable {
        let kind: SchedulingClass
        let app: Int64
    }

    init(
        _ input: ForecastInput, begins: [[[ForecastFuture.Begin]]], unknown: Set<Int>,
        isWhole: Bool
    ) {
        now = input.situation.now
        seeds = begins.count
        waiting = input.waiting
        self.isWhole = isWhole
        self.begins = begins
        apps = input.lanes.map(\.flow.app)
        fullHour = ForecastOutlook.fullHour(of: now, in: input.situation.zone)
        hours = ForecastOutlook.hours(
            from: fullHour, now, begins, lanes: Array(input.lanes.indices))
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

    /// The expectation for the download at a position in a lane.
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
        // A download that begins in some of the futures only has no known begin.
        guard starts.count == begins.count else { return nil }
        let limit = deadline.map { Double(($0 - now).wholeMicroseconds) / 1e6 }
        return Expectation(
            begin: ForecastRange(starts), end: ForecastRange(ends).p50,
            meetsDeadline: limit.map { limit in
                Double(ends.count { $0 <= limit }) / Double(ends.count)
            })
    }

    /// The expectation for a waiting download.
    ///
    /// - Parameter candidate: with its lane, and how many of that are before it.
    /// - Returns: nil where nothing is known of it.
    package func expectation(of candidate: AdmissionCandidate) -> Expectation? {
        guard let lane = candidate.lane, let place = places[lane] else { return nil }
        return expectation(
            lane: lane, position: position(of: candidate, in: place),
            deadline: candidate.deadline.complete)
    }

    /// The number of downloads of its lane before a download.
    private func position(of candidate: AdmissionCandidate, in place: Int) -> Int {
        var position = candidate.before ?? 0
        if position > AdmissionCandidate.beforeAtMost {
            // Beyond this bound they were not counted: the position is estimated from its instant
            // among those of the lane.
            var before = 0.0
            for batch in batches[place] where batch.runAt <= candidate.runAt {
                let hours = Double((candidate.runAt - batch.runAt).wholeMicroseconds) / 3.6e9
                before += Double(batch.count) * min(1, hours)
            }
            position = max(position, Int(before))
        }
        // A download that has arrived since the forecast was made is taken for the last one.
        return min(position, batches[place].reduce(0) { $0 + $1.count } - 1)
    }

    /// The number of downloads of its class that begin before a download, by the first future: of
    /// its own app, and of all apps; nil if nothing is known about its lane.
    package func place(of candidate: AdmissionCandidate) -> (own: Int, all: Int)? {
        guard let lane = candidate.lane, let place = places[lane],
            let (begin, inside) = ForecastOutlook.entry(
                position(of: candidate, in: place), in: begins[0][place])
        else { return nil }
        let kind = candidate.schedulingClass
        func count(_ list: Order?) -> Int {
            // The downloads of one begin run one after the other.
            inside == 0
                ? ForecastOutlook.count(list ?? [], before: (begin.at, begin.number))
                : ForecastOutlook.count(
                    list ?? [], before: (begin.at + Float(inside) * begin.length, 0))
        }
        return (count(ownOrder[AppClass(kind: kind, app: apps[place])]), count(order[kind]))
    }

    /// The number of downloads of a class that begin before an instant, by the first future.
    package func count(of kind: SchedulingClass, before seconds: Double) -> Int {
        ForecastOutlook.count(order[kind] ?? [], before: (Float(seconds), 0))
    }

    /// The number of waiting downloads of an app.
    package func waiting(of app: Int64) -> Int {
        zip(apps, batches).reduce(0) { sum, lane in
            lane.0 == app ? sum + lane.1.reduce(0) { $0 + $1.count } : sum
        }
    }

    /// The next hours of the downloads of an app.
    ///
    /// - Complexity: O(n) in the begins of its lanes.
    package func hours(of app: Int64) -> [Hour] {
        ForecastOutlook.hours(
            from: fullHour, now, begins, lanes: apps.indices.filter { apps[$0] == app })
    }

    private static func fullHour(of instant: Timestamp, in zone: TimeZoneRules) -> Timestamp {
        let second = instant.seconds
        let local = second + Int64(zone.offset(at: instant))
        return Timestamp(seconds: second - ((local % 3600) + 3600) % 3600)
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

    /// The present hour and the next ones: bytes and running downloads of some lanes.
    private static func hours(
        from fullHour: Timestamp, _ now: Timestamp, _ begins: [[[ForecastFuture.Begin]]],
        lanes: [Int]
    ) -> [Hour] {
        let passed = Double((now - fullHour).wholeMicroseconds) / 1e6
        var bytes = Array(
            repeating: Array(repeating: 0.0, count: begins.count), count: hoursAtMost)
        var running = bytes
        for (number, seed) in begins.enumerated() {
            // Lanes behind these have downloads that have not arrived yet.
            for lane in lanes {
                for begin in seed[lane] {
                    spread(begin, behind: passed, over: hoursAtMost) { hour, part, seconds in
                        bytes[hour][number] += part * Double(begin.bytes) * Double(begin.count)
                        running[hour][number] += seconds / 3600
                    }
                }
            }
        }
        return (0..<hoursAtMost).map { hour in
            Hour(
                from: fullHour + .seconds(3600 * hour), bytes: ForecastRange(bytes[hour]),
                running: ForecastRange(running[hour]).p50)
        }
    }

    /// Calls a closure for each hour in which the downloads of a begin run, with the share of them
    /// and the seconds in it; `passed` is the seconds of the first hour that are over.
    private static func spread(
        _ begin: ForecastFuture.Begin, behind passed: Double, over hours: Int,
        _ body: (Int, Double, Double) -> Void
    ) {
        let length = max(0.001, Double(begin.length) * Double(begin.count))
        let start = Double(begin.at) + passed
        let end = start + length
        var hour = Int(start / 3600)
        while hour < hours, Double(hour) * 3600 < end {
            let from = max(start, Double(hour) * 3600)
            let seconds = min(end, Double(hour + 1) * 3600) - from
            body(hour, seconds / length, seconds)
            hour += 1
        }
    }

    /// Seconds to the begin and the end of the download at a position.
    private static func find(
        _ position: Int, in begins: [ForecastFuture.Begin]
    ) -> (at: Double, end: Double)? {
        guard let (begin, inside) = entry(position, in: begins) else { return nil }
        let at = Double(begin.at) + Double(inside) * Double(begin.length)
        return (at, at + Double(begin.length))
    }

    /// The begin that includes the download at a position, and its index in that begin.
    private static func entry(
        _ position: Int, in begins: [ForecastFuture.Begin]
    ) -> (begin: ForecastFuture.Begin, inside: Int)? {
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
        // A position behind the last known begin has none.
        return inside < Int(begin.count) ? (begin, inside) : nil
    }

    private static func order<Key: Hashable>(
        _ lanes: [ForecastLane], _ begins: [[ForecastFuture.Begin]],
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
            // An entry behind all others.
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
