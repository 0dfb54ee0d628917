// The actions of an attempt's machine: each is a step for the shell, which reports its result.

/// The next thing to do; the shell does it and calls the event that is named with it.
package indirect enum AttemptAction: Equatable, Sendable {
    /// Read the method, headers, credentials and body of the request; then `prepared(_:)`.
    case prepare
    /// Take over the part file of an earlier attempt, cut to a length; then `adopted(_:)`.
    case adopt(fence: Int64, length: Int64)
    /// Write the resume point into the row before the transfer begins; then `moved()`.
    case move(ResumePoint)
    /// Mark the row before a request that must not be sent twice; then `marked(_:)`.
    case markSent
    /// Send the request; its head goes to `headArrived(_:now:)`, its end to `ended(_:now:)`.
    case ask(AttemptQuestion)
    /// Wait for all other streams of the file; then `gathered(_:now:)`.
    case gather
    /// Let the next answer be written at the first missing byte; then `restarted(at:now:)`.
    case restart
    /// Sync the bytes in the file; then `kept(durable:)`.
    case keep
    /// End the file and digest it, with these digests beside SHA-256; then `completed(_:)`.
    case complete(Set<DigestAlgorithm>)
    /// Read parts of the file back and compare them; then `compared(_:)`.
    case compare([PartDigest])
    /// Remove the file; then `discarded()`.
    case discard
    /// Give up the bytes of this attempt, because the disk is full; then `retreated(durable:)`.
    case retreat
    /// The attempt is over; nothing follows.
    case report(AttemptOutcome<VerifiedBody>)
}
