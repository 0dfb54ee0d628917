package import Base

/// The judgement over a lane.
package struct LaneJudgement: Equatable, Sendable {
    /// Whether the policy lets its downloads begin: only places, room on the disk and a free slot
    /// may be missing.
    package var isOpen: Bool
    /// The first instant at which the judgement may change by itself; nil for none.
    package var until: Timestamp?
}
