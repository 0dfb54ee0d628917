// How an attempt ended, with its file: what the recorder gets.
internal import Content
internal import Core
internal import Transfers

/// How an attempt ended, before the verdict; boxed, because what waits for it waits long.
indirect enum AttemptReport: Sendable {
    /// The bytes are in the file and verified; not yet published.
    case complete(CompleteBody)
    /// It did not work.
    case failed(DownloadFailure, kept: ResumePoint?, told: ToldWait?)
    /// The disk had no room for it.
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
    /// Where it was placed beside the service's own files.
    var placed: PlacedFile?
    /// Facts of the file before others could reach it; nil without a destination.
    var placedFacts: FileFacts?

    var length: Int64 { file.length }
}
