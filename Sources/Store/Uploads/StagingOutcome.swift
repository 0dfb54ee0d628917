/// What came of the report that a file is whole.
package enum StagingOutcome: Sendable, Equatable {
    /// The upload waits to be sent, or stays suspended.
    case staged
    /// It was staged by an equal report before, whose answer was lost.
    case alreadyStaged
    /// The upload has ended, was deleted, or another data directory holds it: the file goes.
    case gone
}
