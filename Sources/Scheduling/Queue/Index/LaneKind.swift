internal import Base
internal import Downloads

/// The values of a lane that rules look at, except its origin: lanes of one kind match equal rules
/// as far as these do not name origins.
struct LaneKind: Hashable, Sendable {
    let app: Int64
    let session: Int64
    let schedulingClass: SchedulingClass
    let rank: Int
    let laneFlags: LaneFlags
    let facet: Facet
    let dueBucket: Timestamp?
    let beginBucket: Timestamp?

    init(_ head: LaneHead) {
        app = head.app
        session = head.sessionKey
        schedulingClass = head.schedulingClass
        rank = head.rank
        laneFlags = head.laneFlags
        facet = head.facet
        dueBucket = head.dueBucket
        beginBucket = head.beginBucket
    }
}
