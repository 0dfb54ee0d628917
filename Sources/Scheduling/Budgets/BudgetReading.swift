package import Base

/// The reading of a budget's counter.
package struct BudgetReading: Equatable, Sendable {
    /// The period of the reading.
    package var period: Range<Timestamp>
    /// Bytes that were received or sent in the period.
    package var spent: Int64
    /// Bytes reserved by running downloads.
    package var reserved: Int64

    /// Creates a value with all its members.
    package init(period: Range<Timestamp>, spent: Int64, reserved: Int64) {
        self.period = period
        self.spent = spent
        self.reserved = reserved
    }

    /// The bytes that are spent or reserved.
    package var used: Int64 {
        let (sum, overflowed) = spent.addingReportingOverflow(reserved)
        return overflowed ? .max : sum
    }
}
