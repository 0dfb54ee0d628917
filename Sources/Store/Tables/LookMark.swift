// The fields of the marks that a look continues behind, each named once.
internal import Base
internal import Downloads
internal import Postgres
internal import Scheduling

/// The place that earlier pages reached in an app or a session.
struct LookMark {
    private let schedulingClass: SchedulingClass
    private let owner: Int64
    private let mark: LaneCursor.Mark

    init(_ schedulingClass: SchedulingClass, _ owner: Int64, _ mark: LaneCursor.Mark) {
        self.schedulingClass = schedulingClass
        self.owner = owner
        self.mark = mark
    }

    /// The fields of the type `app_mark`, in its order: an app, and the last session.
    static let ofApps: Parameters<[LookMark]> = [
        "class": { $0.map(\.schedulingClass.rawValue) },
        "app_no": { $0.map(\.owner) },
        "at": { $0.map(\.mark.at) },
        "session_no": { $0.map(\.mark.number) },
    ]

    /// The fields of the type `group_mark`, in its order: a session, and the last lane.
    static let ofGroups: Parameters<[LookMark]> = [
        "class": { $0.map(\.schedulingClass.rawValue) },
        "session_no": { $0.map(\.owner) },
        "at": { $0.map(\.mark.at) },
        "lane_no": { $0.map(\.mark.number) },
    ]
}
