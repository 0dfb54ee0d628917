/// The result of giving up a replica's missing files.
package enum LossAcceptance: Sendable, Equatable {
    /// No data directory has the number.
    case unknown
    /// No replica uses it: `forget` has to be used.
    case away
    /// No file is missing.
    case nothingMissing
    /// The replica will declare this many files lost.
    case done(Int64)
}
