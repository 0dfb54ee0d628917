package import Base
internal import Postgres
package import Scheduling

/// The bytes of a running download, for the budgets that count it.
package struct BudgetedRun: Sendable {
    /// The download.
    package var id: Identifier
    /// Its attempt's fence.
    package var fence: Int64
    /// Bytes that this attempt has received so far, discarded ones included.
    package var received: Int64
    /// Bytes that it has sent.
    package var sent: Int64
    /// The expected number of received bytes of the attempt; 0 if unknown.
    package var whole: Int64
    /// The expected number of sent bytes.
    package var toSend: Int64
    /// The budgets that count it.
    package var demands: [BudgetDemand]

    /// Creates a value with all its members.
    package init(
        id: Identifier, fence: Int64, received: Int64, sent: Int64, whole: Int64, toSend: Int64,
        demands: [BudgetDemand]
    ) {
        self.id = id
        self.fence = fence
        self.received = received
        self.sent = sent
        self.whole = whole
        self.toSend = toSend
        self.demands = demands
    }
}
