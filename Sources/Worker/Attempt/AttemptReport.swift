// The end of an attempt with its file, for the recorder.
internal import Content
internal import Downloads
internal import Transfers

/// The end of an attempt before the verdict; indirect, because the task that waits for it would
/// hold its size for long.
indirect enum AttemptReport: Sendable {
    /// The bytes are in the file and verified; not yet published.
    case complete(CompleteBody)
    /// The attempt failed.
    case failed(DownloadFailure, kept: ResumePoint?, told: ToldWait?)
    /// The disk had no room for the content.
    case outOfRoom(kept: ResumePoint?)
    /// It was stopped by an order.
    case stopped(RunOrder, kept: ResumePoint?)
}

/// A whole and verified body.
struct CompleteBody: Sendable {
    let file: CompletedPart
    let sha256: String
    let isLengthVerified: Bool
    let head: ResponseHead?
    /// Its place in the folder of its destination; nil without a destination.
    var placed: PlacedFile?
    /// Facts of the file before other programs could reach it; nil without a destination.
    var placedFacts: FileFacts?

    var length: Int64 { file.length }
}
