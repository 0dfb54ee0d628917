/// A rate and the time for which it holds.
package struct RateState: Hashable, Sendable {
    /// The rate.
    package let rate: ByteRate
    /// Since when; nil if always.
    package let since: Timestamp?
    /// Until when; nil if for ever.
    package let until: Timestamp?
}
