// A simulated fortnight: the downloads that come, the rates of the world, and the price of power.

/// A world of three weeks, of which the first is for learning and the other two count.
///
/// Times are minutes from a Monday at 00:00 in the zone of its policy; rates are bytes a minute.
struct World: Sendable {
    /// The day of the link's trouble and the hours of an outage.
    struct Trouble: Sendable {
        var slowDay: Int
        var outage: Range<Int>
        /// Two origins that run at a fifth of their rate, with the minutes of that.
        var slowOrigins: [Int: Range<Int>]
    }

    static let minutesPerWeek = 7 * 24 * 60
    static let minutes = 3 * minutesPerWeek
    /// The minutes whose downloads count.
    static let counted = minutesPerWeek..<minutes
    static let origins = 20
    static let slots = 32
    static let perOrigin = 6
    /// 40 MB/s.
    static let linkRate = 40e6 * 60

    var seed: UInt64
    /// The share of the link's capacity that all downloads together need.
    let utilisation: Double
    var downloads: [WorldDownload] = []
    /// The rate of an origin for each transfer, by night.
    var originRates: [Double] = []
    var trouble: Trouble
    /// EUR per kWh for each hour.
    var prices: [Double] = []
    /// Load per core for each minute.
    var load: [Double] = []

    /// Monday to Friday from 08:00 to 20:00.
    static func isPeak(_ minute: Int) -> Bool {
        let day = minute / (24 * 60) % 7
        let hour = minute / 60 % 24
        return day < 5 && (8..<20).contains(hour)
    }

    static func isDay(_ minute: Int) -> Bool { (8..<20).contains(minute / 60 % 24) }

    /// The bytes that the link carries in a minute.
    func link(_ minute: Int) -> Double {
        if trouble.outage.contains(minute) { return 0 }
        var rate = World.linkRate * (World.isPeak(minute) ? 0.65 : 1)
        if minute / (24 * 60) == trouble.slowDay { rate *= 0.25 }
        return rate
    }

    /// The bytes that an origin gives to one transfer in a minute, before the luck of the attempt.
    func rate(ofOrigin origin: Int, _ minute: Int) -> Double {
        var rate = originRates[origin] * (World.isDay(minute) ? 0.75 : 1)
        if let span = trouble.slowOrigins[origin], span.contains(minute) { rate *= 0.2 }
        return rate
    }

    /// The luck of one attempt: its rate's factor, and the share of the rest at which it breaks.
    func luck(of download: Int, attempt: Int) -> (factor: Double, breaksAt: Double?) {
        var dice = Dice(seed: seed, 7, download, attempt)
        let factor = dice.lognormal(0.35)
        return (factor, dice.isOne(0.05) ? dice.unit() : nil)
    }

    func price(_ minute: Int) -> Double { prices[min(minute / 60, prices.count - 1)] }
}
