// The columns of a look, each named once.

/// A column of `lull_lanes`; the raw value is its index.
enum LaneColumn: Int, CaseIterable, RowColumn {
    case lane, nextAt, app, appName, sessionKey, session, originKey, origin, schedulingClass, rank
    case network, dueBucket, beginBucket, largestNeed, guardAt, fits, vector
    case originRunning, originLimit, originNotBefore, originUnreachableSince, originProbeAt
    case sessionRunning
    case sessionLimit, appRunning, appLimit, connections, connectionsLimit
    case groupAt
    case hasMoreGroups, hasMoreLanes

    /// The SQL expression of the column.
    var sql: String {
        switch self {
        case .lane: "lane_no"
        case .nextAt: "next_at"
        case .app: "app_no"
        case .appName: "app"
        case .sessionKey: "session_no"
        case .session: "session"
        case .originKey: "origin_key"
        case .origin: "origin"
        case .schedulingClass: "class"
        case .rank: "rank"
        case .network: "network"
        case .dueBucket: "due_bucket"
        case .beginBucket: "begin_bucket"
        case .largestNeed: "largest_need"
        case .guardAt: "guard_at"
        case .fits: "fits"
        case .vector: "vector"
        case .originRunning: "origin_running"
        case .originLimit: "origin_limit"
        case .originNotBefore: "origin_not_before"
        case .originUnreachableSince: "origin_unreachable_since"
        case .originProbeAt: "origin_probe_at"
        case .sessionRunning: "session_running"
        case .sessionLimit: "session_limit"
        case .appRunning: "app_running"
        case .appLimit: "app_limit"
        case .connections: "connections"
        case .connectionsLimit: "connections_limit"
        case .groupAt: "group_at"
        case .hasMoreGroups: "has_more_groups"
        case .hasMoreLanes: "has_more_lanes"
        }
    }
}
