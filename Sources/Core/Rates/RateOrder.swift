/// The limits for a transfer engine, and until when they hold.
package struct RateOrder: Sendable, Equatable {
    /// Bytes a second of every scope that has a limit.
    package var limits: [RateScope: Int64] = [:]
    /// When a timetable next changes a limit; nil for never.
    package var until: Timestamp?

    /// No limits.
    package init() {}
}
