/// A delegate that is called on the queue of its session alone.
struct HeldDelegate: @unchecked Sendable {
    // Safe because only work on the delegate queue, which does one call at a time, uses it.
    let delegate: any URLSessionDelegate
}
