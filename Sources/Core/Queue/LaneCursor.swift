// Where a look goes on, so that a sweep of bounded looks reaches every lane that is due.

/// The request of a look: how far a sweep over the lanes has come, empty at its start, and since
/// when changes were not read.
///
/// A look reads a page: of each class some apps, of each app some sessions, of each session some
/// lanes. Marks are kept only where a page was too short; one that has come to its end stays until
/// the sweep is over, so that nothing is read twice while something else was not read yet.
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

    /// The last one that was read, in the order in which they are read.
    package struct Mark: Equatable, Sendable {
        /// When it is due; the order's first part.
        package var at: Timestamp
        /// Its number.
        package var number: Int64

        /// Creates a value with both members.
        package init(at: Timestamp, number: Int64) {
            self.at = at
            self.number = number
        }

        /// Behind everything.
        package static let end = Mark(at: Timestamp(microseconds: .max), number: .max)
    }

    /// At most so many sessions have a mark of their own; others are read from their start.
    package static let groupsAtMost = 1024
    /// A look reads at most so many lanes by their numbers.
    package static let againAtOnce = 512
    /// The start of a sweep.
    package static let start = LaneCursor()

    /// The last app that was read; 0 to begin with the first.
    package var app: Int64 = 0
    /// The last session that was read, for apps with more than one page.
    package var apps: [AppClass: Mark] = [:]
    /// The last lane that was read, for sessions with more than one page.
    package var groups: [Group: Mark] = [:]
    /// Lanes that are read by their numbers; at most `againAtOnce`.
    package var again: [Int64] = []
    /// The changes that are known already; nil where the look is not to bring any.
    package var news: LaneNews?
    /// Whether only changes are read, and lanes by their numbers.
    package var isNewsOnly = false

    /// The sessions with a mark that were read in this round.
    private var seen: Set<Group> = []

    /// The start of a sweep.
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

    /// Ends a page, after all of it was passed; at the end of the sweep the cursor is its start.
    ///
    /// A round reads every session. Where some had more lanes than a page, another round follows.
    ///
    /// - Parameters:
    ///   - app: the app behind which the next page begins; 0 if there was no further one.
    ///   - read: the apps of which the page had sessions.
    package mutating func endPage(next app: Int64, read: some Sequence<AppClass>) {
        let read = Set(read)
        (news, again) = (nil, [])
        // One with a mark that had its place on this page and was not there has no more.
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
