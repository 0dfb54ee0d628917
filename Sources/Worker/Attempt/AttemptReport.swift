// The file of a complete attempt, for the recorder.
internal import Content
internal import Downloads
internal import Transfers

/// The end of an attempt with its file.
typealias AttemptReport = AttemptOutcome<CompleteBody>

/// A whole and verified body.
struct CompleteBody: Sendable {
    let file: CompletedPart
    let sha256: String
    let isLengthVerified: Bool
    let head: ResponseHead?
    /// Its place in the folder of its destination; nil without a destination.
    var placed: PlacedFile?
    /// Whether it was sent to its receiver, which has taken it.
    var isSent = false
    /// Facts of the file before other programs could reach it; nil without a destination.
    var placedFacts: FileFacts?

    var length: Int64 { file.length }
}
