/// The rule by which transfers share one link.
enum Flow {
    /// Max-min fair shares: no transfer gets more than its cap, and the rest of its share goes to
    /// the others.
    static func shares(of capacity: Double, caps: [Double]) -> [Double] {
        var shares = Array(repeating: 0.0, count: caps.count)
        var left = capacity
        var open = caps.indices.sorted { caps[$0] < caps[$1] }[...]
        while let smallest = open.first {
            let share = left / Double(open.count)
            shares[smallest] = min(caps[smallest], share)
            left -= shares[smallest]
            open.removeFirst()
        }
        return shares
    }
}
