// The columns of a look, each named once.

/// A column of what `lull_lanes` gives; its raw value is its place.
enum LaneColumn: Int, CaseIterable, RowColumn {
    case laneNo, nextAt, appNo, app, sessionNo, session, originKey, origin, schedulingClass, rank
    case laneFlags, dueBucket, beginBucket, largestNeed, guardAt, fits, vector
    case originRunning, originLimit, originNotBefore, originUnreachableSince, originProbeAt
    case sessionRunning, sessionLimit, appRunning, appLimit, connections, connectionsLimit
    case groupAt, hasMoreGroups, hasMoreLanes

    var sql: String { self == .schedulingClass ? "class" : columnName }
}
