package import Base

/// The limits for a transfer engine, and how long they hold.
package struct RateOrder: Sendable, Equatable {
    /// Bytes a second of every limited scope.
    package var limits: [RateScope: Int64] = [:]
    /// The time at which a timetable next changes a limit; nil for never.
    package var until: Timestamp?

    /// Creates an order without limits.
    package init() {}
}
