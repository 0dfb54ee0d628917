package import Base

/// A rate and the span for which it is in force.
package struct RateState: Hashable, Sendable {
    /// The rate.
    package let rate: ByteRate
    /// The begin of the span; nil for always.
    package let since: Timestamp?
    /// The end of the span; nil for none.
    package let until: Timestamp?
}
