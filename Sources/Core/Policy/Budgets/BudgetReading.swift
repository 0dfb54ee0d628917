/// What a counter of a budget showed.
package struct BudgetReading: Equatable, Sendable {
    /// The period that it is of.
    package var period: Range<Timestamp>
    /// Bytes that came in the period, or were sent.
    package var spent: Int64
    /// Bytes that running downloads may still bring.
    package var reserved: Int64

    /// Names all of it.
    package init(period: Range<Timestamp>, spent: Int64, reserved: Int64) {
        self.period = period
        self.spent = spent
        self.reserved = reserved
    }

    /// What is taken of the budget.
    package var used: Int64 {
        let (sum, overflowed) = spent.addingReportingOverflow(reserved)
        return overflowed ? .max : sum
    }
}
