// A world from a seed.
import Foundation

extension World {
    /// The largest size; larger ones are cut, so that one download is never a day of the link.
    private static let largest = 60e9

    /// Makes a world with this many downloads in three weeks.
    init(seed: UInt64, utilisation: Double, count: Int = 5_100) {
        var dice = Dice(seed: seed)
        self.seed = seed
        self.utilisation = utilisation
        originRates = (0..<World.origins).map { _ in 3e6 * 60 * dice.lognormal(0.7) }
        trouble = World.makeTrouble(&dice)
        prices = World.makePrices(&dice)
        load = World.makeLoad(&dice)
        downloads = makeDownloads(count, &dice)
    }

    private static func makeTrouble(_ dice: inout Dice) -> Trouble {
        let slowDay = Int.random(in: 7..<21, using: &dice)
        let outage = Int.random(in: counted.lowerBound..<minutes - 24 * 60, using: &dice)
        var slow: [Int: Range<Int>] = [:]
        while slow.count < 2 {
            let start = Int.random(in: 7..<18, using: &dice) * 24 * 60
            slow[Int.random(in: 0..<origins, using: &dice)] = start..<start + 3 * 24 * 60
        }
        return Trouble(slowDay: slowDay, outage: outage..<outage + 120, slowOrigins: slow)
    }

    /// Two peaks and a dip at noon, as day-ahead prices have them.
    private static func makePrices(_ dice: inout Dice) -> [Double] {
        var level = 0.0
        return (0..<minutes / 60 + 7 * 24).map { hour in
            if hour % 24 == 0 { level = 0.04 * dice.normal() }
            let clock = Double(hour % 24)
            func bump(_ at: Double, _ width: Double) -> Double {
                exp(-pow((clock - at) / width, 2) / 2)
            }
            let night = bump(3, 3) + bump(27, 3)
            let noon = bump(13, 2)
            let shape = 0.22 + 0.12 * bump(8, 2) + 0.16 * bump(19, 2) - 0.09 * (night + noon)
            return max(0.01, shape + level + 0.015 * dice.normal())
        }
    }

    /// An autoregressive series of the first order around a level that is higher by day.
    private static func makeLoad(_ dice: inout Dice) -> [Double] {
        var value = 0.0
        return (0..<minutes + minutesPerWeek).map { minute in
            value = 0.98 * value + 0.06 * dice.normal()
            return max(0, (isPeak(minute) ? 0.7 : 0.35) + value)
        }
    }

    private func makeDownloads(_ count: Int, _ dice: inout Dice) -> [WorldDownload] {
        let popularity = (0..<World.origins).map { pow(Double($0 + 1), -1.1) }
        let created = World.arrivals(count, &dice)
        var sizes = created.map { _ in
            dice.isOne(0.12) ? 2.5 * dice.pareto(1.25) : dice.lognormal(1.3)
        }
        let capacity = (0..<World.minutes).reduce(0) { $0 + link($1) }
        // Cutting large sizes removes bytes, so the scale is found in a few steps.
        var scale = 1.0
        for _ in 0..<20 {
            let total = sizes.reduce(0) { $0 + min($1 * scale, World.largest) }
            scale *= utilisation * capacity / total
        }
        sizes = sizes.map { min($0 * scale, World.largest) }
        return created.enumerated().map { number, minute in
            make(number, minute, sizes[number], popularity, &dice)
        }
    }

    private func make(
        _ number: Int, _ minute: Int, _ bytes: Double, _ popularity: [Double], _ dice: inout Dice
    ) -> WorldDownload {
        var place = dice.unit() * popularity.reduce(0, +)
        let origin = popularity.firstIndex { share in
            place -= share
            return place < 0
        }
        let chosen = origin ?? 0
        let isDiscretionary = dice.isOne(0.8)
        let isDated = isDiscretionary && dice.isOne(0.5)
        // Log-uniform: as many deadlines in the next few hours as in the next few days.
        let asked = Int(4 * 60 * pow(18, dice.unit()))
        // A client knows about how long its file takes, and asks for at least twice that.
        let need = Int(2 * bytes / (originRates[chosen] * 0.75)) + 30
        return WorldDownload(
            number: number, created: minute, origin: chosen, bytes: bytes,
            expected: dice.isOne(0.7) ? bytes * dice.lognormal(0.08) : nil,
            isDiscretionary: isDiscretionary,
            completeBy: isDated ? minute + max(asked, need) : nil,
            isResumable: !dice.isOne(0.15))
    }

    /// Minutes of creation, three times as dense by day.
    private static func arrivals(_ count: Int, _ dice: inout Dice) -> [Int] {
        var minutes: [Int] = []
        while minutes.count < count {
            let minute = Int.random(in: 0..<World.minutes, using: &dice)
            if isDay(minute) || dice.isOne(1.0 / 3) { minutes.append(minute) }
        }
        return minutes.sorted()
    }
}
