// Claimed deliveries that wait here for a place.
internal import Store

/// Claimed deliveries by receiver, each receiver's in the order of their claims.
struct ReadyDeliveries {
    private struct Line {
        var list: [DueDelivery] = []
        /// The index of the first waiting delivery.
        var start = 0
    }

    private var lines: [Int64: Line] = [:]
    /// The number of waiting deliveries.
    private(set) var count = 0

    /// Adds a delivery behind the others of its receiver.
    mutating func append(_ delivery: DueDelivery) {
        lines[delivery.receiver, default: Line()].list.append(delivery)
        count += 1
    }

    /// Takes the first delivery of a receiver; nil if none waits.
    mutating func next(of receiver: Int64) -> DueDelivery? {
        guard var line = lines.removeValue(forKey: receiver) else { return nil }
        let delivery = line.list[line.start]
        line.start += 1
        count -= 1
        if line.start < line.list.count {
            if line.start * 2 > line.list.count {
                line.list.removeFirst(line.start)
                line.start = 0
            }
            lines[receiver] = line
        }
        return delivery
    }

    /// Takes all deliveries of a receiver.
    mutating func removeAll(of receiver: Int64) -> [DueDelivery] {
        guard let line = lines.removeValue(forKey: receiver) else { return [] }
        count -= line.list.count - line.start
        return Array(line.list[line.start...])
    }

    /// The receivers with waiting deliveries.
    var receivers: [Int64] { Array(lines.keys) }
}
