// The file of a complete attempt, for the recorder.
internal import Base
internal import Content
internal import Downloads
internal import Transfers

/// The end of an attempt with its file.
typealias AttemptReport = AttemptOutcome<CompleteBody>

/// A whole and verified body.
struct CompleteBody: Sendable {
    /// The object of a body that was brought into a store.
    struct Object: Sendable {
        /// The store: `ObjectStore.identifier`.
        let store: Identifier
        /// The entity tag.
        let tag: String?
    }

    let file: CompletedPart
    let sha256: String
    let isLengthVerified: Bool
    let head: ResponseHead?
    /// Its place in the folder or store of its destination; nil without a destination.
    var placed: PlacedFile?
    /// Whether it was sent to its receiver or store, which has taken it.
    var isSent = false
    /// The object in its store; nil for a body that is kept here or that its receiver has.
    var object: Object?
    /// Facts of the file before other programs could reach it; nil without a destination.
    var placedFacts: FileFacts?

    var length: Int64 { file.length }
}
