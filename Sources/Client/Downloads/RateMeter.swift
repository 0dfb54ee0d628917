// The speed of one connection.
internal import Platform

/// Measures the bytes a second since a connection began.
final class RateMeter {
    private let start = SystemClock.bootNanoseconds()
    private let first: Int64

    init(_ first: Int64) { self.first = first }

    func rate(_ count: Int64) -> Int64? {
        let nanoseconds = SystemClock.bootNanoseconds() - start
        guard nanoseconds > 500_000_000 else { return nil }
        return Int64(Double(count - first) / Double(nanoseconds) * 1e9)
    }
}
