// The cursor of a sweep, by which bounded looks reach every lane that is due.
package import Base
package import Downloads

/// The request of a look: the position of a sweep over the lanes, and the position in the changes
/// of lanes.
///
/// A look reads a page: some apps of each class, some sessions of each app, some lanes of each
/// session. A mark is kept only where a page was too short; one that has reached its end stays
/// until the sweep is over, so that nothing is read twice before everything was read.
package struct LaneCursor: Equatable, Sendable {
    /// The sessions of an app with lanes of one class.
    package struct AppClass: Hashable, Sendable {
        /// The class.
        package var schedulingClass: SchedulingClass
        /// The app's number.
        package var app: Int64

        /// Creates a value with both members.
        package init(_ schedulingClass: SchedulingClass, app: Int64) {
            self.schedulingClass = schedulingClass
            self.app = app
        }
    }

    /// The lanes of a session of one class.
    package struct Group: Hashable, Sendable {
        /// The class.
        package var schedulingClass: SchedulingClass
        /// The session's number.
        package var session: Int64

        /// Creates a value with both members.
        package init(_ schedulingClass: SchedulingClass, session: Int64) {
            self.schedulingClass = schedulingClass
            self.session = session
        }
    }

    /// The position behind the last row that was read.
    package struct Mark: Equatable, Sendable {
        /// The due time of the row, the first part of the order.
        package var at: Timestamp
        /// The number of the row.
        package var number: Int64

        /// Creates a value with both members.
        package init(at: Timestamp, number: Int64) {
            self.at = at
            self.number = number
        }

        /// The position behind all rows.
        package static let end = Mark(at: Timestamp(microseconds: .max), number: .max)
    }

    /// The most sessions with a mark of their own; others are read from their start.
    package static let groupsAtMost = 1024
    /// The most lanes that a look reads by number.
    package static let againAtOnce = 512
    /// The start of a sweep.
    package static let start = LaneCursor()

    /// The last app that was read; 0 for the start.
    package var app: Int64 = 0
    /// The last sessions that were read, of apps with more than one page.
    package var apps: [AppClass: Mark] = [:]
    /// The last lanes that were read, of sessions with more than one page.
    package var groups: [Group: Mark] = [:]
    /// Lanes that are read by number; at most `againAtOnce`.
    package var again: [Int64] = []
    /// The position in the changes; nil if the look shall not bring any.
    package var changePosition: LaneChangePosition?
    /// Whether only changes, and lanes by number, are read.
    package var readsChangesOnly = false

    /// The sessions with a mark that were read in this round.
    private var seen: Set<Group> = []

    /// Creates the start of a sweep.
    package init() {}

    /// Moves behind a page of the sessions of an app.
    package mutating func pass(_ place: AppClass, to last: Mark, hasMore: Bool) {
        if hasMore { apps[place] = last } else if apps[place] != nil { apps[place] = .end }
    }

    /// Moves behind a page of the lanes of a session.
    ///
    /// - Parameters:
    ///   - place: the session.
    ///   - last: the last lane of the rank that has come least far; nil without lanes.
    ///   - hasMore: whether the page was too short.
    package mutating func pass(_ place: Group, to last: Mark?, hasMore: Bool) {
        guard hasMore, let last else {
            guard groups[place] != nil else { return }
            groups[place] = .end
            seen.insert(place)
            return
        }
        if groups[place] == nil, groups.count >= LaneCursor.groupsAtMost {
            guard let ended = groups.first(where: { $0.value == .end })?.key else { return }
            groups[ended] = nil
        }
        groups[place] = last
        seen.insert(place)
    }

    /// Ends a page, after all its rows were passed; at the end of the sweep the cursor is at its
    /// start.
    ///
    /// A round reads every session. If some had more lanes than a page, another round follows.
    ///
    /// - Parameters:
    ///   - app: the app behind which the next page begins; 0 if there was no further one.
    ///   - read: the apps of which the page had sessions.
    package mutating func endPage(next app: Int64, read: some Sequence<AppClass>) {
        let read = Set(read)
        (changePosition, again) = (nil, [])
        // A marked app or session that should have been on this page and was not has no more rows.
        for place in apps.keys
        where !read.contains(place) && place.app > self.app && (app == 0 || place.app <= app) {
            apps[place] = .end
        }
        self.app = app
        guard app == 0, apps.values.allSatisfy({ $0 == .end }) else { return }
        groups = groups.filter { seen.contains($0.key) }
        apps = [:]
        seen = []
        if groups.values.allSatisfy({ $0 == .end }) { groups = [:] }
    }
}
