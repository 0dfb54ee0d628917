// The fields of a claim's lanes and of limits of apps, each named once.
internal import Base
internal import Downloads
internal import Postgres
internal import Scheduling

/// A lane of a claim as a value of the type `claim_lane`.
struct ClaimLane {
    private let lane: Int64
    private let quota: Int32
    private let originLimit: Int32
    private let sessionLimit: Int32?
    private let room: ClosingRoom?

    init(_ quota: LaneQuota, _ limits: PolicyLimits) {
        let head = quota.head
        lane = head.lane
        self.quota = Int32(quota.count)
        originLimit = Int32(limits.origin(head.originName, app: head.appName))
        sessionLimit = limits.session(head.session, app: head.appName).map { Int32($0) }
        room = quota.room
    }

    /// The fields in the order of the type.
    static let fields: Parameters<[ClaimLane]> = [
        "lane_no": { $0.map(\.lane) },
        "quota": { $0.map(\.quota) },
        "origin_limit": { $0.map(\.originLimit) },
        "session_limit": { $0.map(\.sessionLimit) },
        "fits": { $0.map { $0.room?.most } },
        "longest": { $0.map { $0.room?.longest } },
        "unsized": { $0.map { $0.room?.unsized } },
    ]
}

/// The limit of an app as a value of the type `app_limit`.
struct AppLimit {
    private let app: Int64
    private let most: Int

    init(_ limit: (key: Int64, value: Int)) {
        app = limit.key
        most = limit.value
    }

    /// The fields in the order of the type.
    static let fields: Parameters<[AppLimit]> = [
        "app_no": { $0.map(\.app) },
        "most": { $0.map { Int32($0.most) } },
    ]
}
