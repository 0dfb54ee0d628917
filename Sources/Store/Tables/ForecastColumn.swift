// The columns of a lane that a forecast begins with, each named once.

/// A column of lanes: of `s` (its rows counted), `l` (lanes), `w` (lane_loads), `og`, `sg` and `ag`
/// (the gates of origin, session and app), and the names of all of them.
enum ForecastColumn: Int, RowColumn {
    case laneNo, firstAt, count, bytes, unsized, since, isTried
    case appNo, sessionNo, originKey, schedulingClass, rank, dueBucket, beginBucket, largestNeed
    case laneFlags
    case guardAt, fits, app, session, origin, vector
    case originRunning, originLimit, originNotBefore, unreachableSince, probeAt
    case sessionRunning, sessionLimit, appRunning, appLimit

    static let columns = list

    var sql: String {
        switch self {
        case .laneNo, .firstAt, .count, .bytes, .unsized, .since, .isTried: "s." + columnName
        case .appNo, .sessionNo, .originKey, .rank, .dueBucket, .beginBucket, .largestNeed,
            .laneFlags:
            "l." + columnName
        case .schedulingClass: "l.class"
        case .guardAt, .fits: "w." + columnName
        case .app: "a.name"
        case .session: "n.identifier"
        case .origin: "o.origin"
        case .vector: "v.vector"
        case .originRunning: "coalesce(og.running, 0)"
        case .originLimit: "og.running_limit"
        case .originNotBefore: "lull_not_before(og.not_before, l.origin_key, l.app_no)"
        case .unreachableSince, .probeAt: "og." + columnName
        case .sessionRunning: "coalesce(sg.running, 0)"
        case .sessionLimit: "sg.running_limit"
        case .appRunning: "coalesce(ag.running, 0)"
        case .appLimit: "ag.running_limit"
        }
    }
}
