// A world for the scheduler: a clock, and transfers whose sources are as fast as the test says.
import Scheduling

/// Transfers under a scheduler, moved on in steps of a simulated clock.
struct RateWorld {
    struct Transfer {
        /// Bytes a second that its source could give; nil for no bound.
        var source: Double?
        var scopes: [RateScope] = []
        var credit: Int64 = 0
        var received: Int64 = 0
        var isWaiting = false
        var isFree = false
        var owed = 0.0
    }

    static let chunk: Int64 = 16_384
    var scheduler = RateScheduler()
    var transfers: [Int: Transfer] = [:]
    var now: Int64 = 5_000_000_000

    init(_ limits: [RateScope: Int64] = [:]) {
        _ = scheduler.replaceLimits(limits, now: now)
    }

    mutating func add(
        _ number: Int, scopes: [RateScope] = [.deployment], own: Int64? = nil, rank: Int = 0,
        source: Double? = nil
    ) {
        var transfer = Transfer(source: source)
        transfer.scopes = scopes
        transfer.isFree = !scheduler.join(number, scopes: scopes, own: own, rank: rank, now: now)
        transfers[number] = transfer
    }

    mutating func remove(_ number: Int) {
        guard let transfer = transfers.removeValue(forKey: number) else { return }
        scheduler.leave(number, unused: max(0, transfer.credit))
    }

    mutating func limit(_ limits: [RateScope: Int64]) {
        take(scheduler.replaceLimits(limits, now: now))
        for (number, transfer) in transfers where transfer.isFree {
            transfers[number]?.credit = 0
            transfers[number]?.isFree = !scheduler.join(
                number, scopes: transfer.scopes, own: nil, rank: 0, now: now)
        }
    }

    mutating func take(_ grants: [RateScheduler.Grant]) {
        for grant in grants {
            transfers[grant.transfer]?.isWaiting = false
            if let bytes = grant.bytes {
                transfers[grant.transfer]?.credit += bytes
            } else {
                transfers[grant.transfer]?.isFree = true
                transfers[grant.transfer]?.credit = 0
            }
        }
    }

    /// Moves the clock on; the loop runs at each step.
    mutating func run(seconds: Double, everyMilliseconds step: Int64 = 5) {
        let end = now + Int64(seconds * 1_000_000_000)
        while now < end {
            now = min(end, now + step * 1_000_000)
            take(scheduler.advance(now: now))
            for number in transfers.keys.sorted() { receive(number, milliseconds: step) }
        }
    }

    private mutating func receive(_ number: Int, milliseconds: Int64) {
        guard var transfer = transfers[number] else { return }
        transfer.owed += (transfer.source ?? 0) * Double(milliseconds) / 1000
        // A source without a bound offers a hundred chunks at a time, as libcurl reads them.
        var offers = transfer.source == nil ? 100 : Int(transfer.owed / Double(RateWorld.chunk))
        while offers > 0, !transfer.isWaiting {
            if !transfer.isFree, transfer.credit <= 0 {
                guard let bytes = scheduler.ask(number, now: now) else {
                    transfer.isWaiting = true
                    break
                }
                transfer.credit += bytes
                continue
            }
            offers -= 1
            transfer.received += RateWorld.chunk
            if !transfer.isFree { transfer.credit -= RateWorld.chunk }
            transfer.owed -= Double(RateWorld.chunk)
        }
        transfers[number] = transfer
    }

    var total: Int64 { transfers.values.reduce(0) { $0 + $1.received } }

    func received(_ number: Int) -> Int64 { transfers[number]?.received ?? -1 }

    /// The bytes of all transfers that come in a span of seconds.
    mutating func measure(seconds: Double, everyMilliseconds step: Int64 = 5) -> Double {
        let before = total
        run(seconds: seconds, everyMilliseconds: step)
        return Double(total - before)
    }
}
