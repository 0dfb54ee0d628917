/// The outcome of giving up a replica's missing files.
package enum LossAcceptance: Sendable, Equatable {
    /// No data directory has the number.
    case unknown
    /// No replica works there: `forget` is for that.
    case away
    /// It misses no file.
    case nothingMissing
    /// Its replica takes so many files for lost.
    case done(Int64)
}
