/// The end of an attempt, before its verdict; indirect, because the task that waits for it would
/// hold its size for long.
///
/// The machine reports a body that is proved to be whole, the worker the file that has it.
package indirect enum AttemptOutcome<Body: Sendable>: Sendable {
    /// The bytes are in the file and verified; not yet published.
    case complete(Body)
    /// The content is the known one, so nothing is published; no byte of it is in the file.
    case unchanged(UnchangedProof)
    /// The attempt failed.
    case failed(DownloadFailure, kept: ResumePoint?, told: ToldWait?)
    /// The disk had no room for the content.
    case outOfRoom(kept: ResumePoint?)
    /// It was stopped by an order.
    case stopped(RunOrder, kept: ResumePoint?)

    /// The same end with what a function makes of the body.
    ///
    /// - Parameter change: gives the other body; nil abandons the attempt.
    /// - Returns: the end.
    package func map<Other: Sendable>(_ change: (Body) -> Other?) -> AttemptOutcome<Other> {
        switch self {
        case .complete(let body):
            change(body).map { .complete($0) } ?? .stopped(.abandon, kept: nil)
        case .unchanged(let proof): .unchanged(proof)
        case .failed(let failure, let kept, let told): .failed(failure, kept: kept, told: told)
        case .outOfRoom(let kept): .outOfRoom(kept: kept)
        case .stopped(let order, let kept): .stopped(order, kept: kept)
        }
    }
}

extension AttemptOutcome: Equatable where Body: Equatable {}
