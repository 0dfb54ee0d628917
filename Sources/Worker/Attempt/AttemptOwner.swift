// The calls of an attempt to the worker that runs it.
internal import Base
internal import Downloads

/// The worker from the point of view of an attempt; one object instead of a closure for each call.
protocol AttemptOwner: AnyObject, Sendable {
    /// Writes a resume point into the row at once, nil for none; false if that failed.
    func saveResumePoint(_ point: ResumePoint?) async -> Bool
    /// Writes a resume point into the row, and repeats that until the store answers; false if the
    /// attempt has lost the row.
    func insistOnResumePoint(_ point: ResumePoint) async -> Bool
    /// Takes up to `extra` further places under the limits; returns how many were free.
    func widen(by extra: Int) async -> Int
    /// Marks the row before a request that must not be sent twice; false if that failed.
    func markSent() async -> Bool
    /// Notes that an answer of the origin has begun, for which other downloads wait; may be called
    /// from any thread.
    func reached()
    /// Whether the file of another download is kept where it can be shared; true while the store
    /// does not answer.
    func isShareable(_ id: Identifier) async -> Bool
    /// Whether the row of another download names the bytes of a point at this moment.
    func holds(_ point: ResumePoint, _ source: Identifier) async -> Bool
}
