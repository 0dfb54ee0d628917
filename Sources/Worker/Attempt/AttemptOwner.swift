// What an attempt asks of the worker that runs it.
internal import Core

/// The worker as one of its attempts sees it; one object instead of a closure for each question.
protocol AttemptOwner: AnyObject, Sendable {
    /// Writes at once where a later attempt may go on, nil for nowhere; false if that failed.
    func remember(_ point: ResumePoint?) async -> Bool
    /// Takes further places under the limits; answers how many there was room for.
    func widen(by extra: Int) async -> Int
    /// Marks the row: a request is sent that must not be sent twice; false if that failed.
    func markSent() async -> Bool
    /// An answer of the origin begins, for which others wait; may be called from any thread.
    func reached()
    /// Whether the row of another download names the bytes of a point at this moment.
    func holds(_ point: ResumePoint, _ source: Identifier) async -> Bool
}
