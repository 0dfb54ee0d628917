package import Base
package import Scheduling

/// A step of a source's timetable: what one turn decided.
package struct SourceStep: Sendable {
    /// The source as it was read.
    package let source: SourceRecord
    /// The state behind the turn.
    package let timetable: SourceTimetable
    /// The instants without a look.
    package let skips: [SkippedInstants]
    /// The look that begins; nil for none.
    package let start: SourceTurn.Start?
    /// The time of the next turn; nil for none.
    package let nextTurn: Timestamp?

    /// Creates the step of a turn.
    ///
    /// - Parameters:
    ///   - source: the source as it was read.
    ///   - timetable: the state behind the turn.
    ///   - turn: the turn.
    package init(_ source: SourceRecord, to timetable: SourceTimetable, by turn: SourceTurn) {
        self.source = source
        self.timetable = timetable
        (skips, start, nextTurn) = (turn.skips, turn.start, turn.nextTurn)
    }
}
