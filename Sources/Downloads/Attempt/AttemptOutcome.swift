/// The end of an attempt, before its verdict.
package indirect enum AttemptOutcome: Equatable, Sendable {
    /// The bytes are in the file and verified; not yet published.
    case complete(VerifiedBody)
    /// The attempt failed.
    case failed(DownloadFailure, kept: ResumePoint?, told: ToldWait?)
    /// The disk had no room for the content.
    case outOfRoom(kept: ResumePoint?)
    /// It was stopped by an order.
    case stopped(RunOrder, kept: ResumePoint?)
}
