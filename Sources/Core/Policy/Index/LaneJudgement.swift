/// What the verdict said of a lane.
package struct LaneJudgement: Equatable, Sendable {
    /// Whether nothing but places, room and a free slot is missing.
    package var isOpen: Bool
    /// The first instant at which that may be otherwise by itself; nil for none.
    package var until: Timestamp?
}
