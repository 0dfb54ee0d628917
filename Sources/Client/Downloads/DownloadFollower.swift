// Following downloads on an event stream that is opened again after every loss.
internal import Base
internal import Platform

/// Follows downloads until they end or need an action, with bars on a terminal and lines elsewhere.
final class DownloadFollower {
    private let context: ClientContext
    private let feed: EventFeed
    /// The downloads that are followed if no ids were given.
    private let filter: DownloadFilter?
    /// The ids of the followed downloads, in the order in which they were first seen.
    private var order: [String] = []
    private var followed: Set<String> = []
    private var views: [String: DownloadView] = [:]
    private var documents: [String: JSON] = [:]
    private var said: [String: String] = [:]
    private var isLossNoted = false
    private var explainedAt: Int64 = 0
    /// The most lines of bars at once.
    private static let linesAtMost = 20
    /// The most downloads that are followed.
    private static let followedAtMost = 10_000
    /// The most downloads that are read one by one after a loss.
    private static let readsAtMost = 50

    private let printsEvents: Bool
    /// Whether ids were given, so that no other download is followed.
    private let isNamed: Bool
    /// The downloads that have ended or need somebody, and were not told yet.
    private var over: [String] = []

    /// Further bars, which stand first; and words for the line of totals.
    var bars: () -> [ProgressBar] = { [] }
    /// The words that begin the line of totals; empty for none.
    var total: () -> String = { "" }

    /// Creates a follower of some downloads; without ids, of all that have not ended.
    ///
    /// - Parameters:
    ///   - context: of the command.
    ///   - ids: which, in the order in which they are shown.
    ///   - filter: those that match it, if there are no ids.
    ///   - printsEvents: whether events are printed with `--json`.
    init(
        _ context: ClientContext, _ ids: [String], filter: DownloadFilter? = nil,
        printsEvents: Bool
    ) {
        self.context = context
        self.printsEvents = printsEvents
        self.filter = filter
        order = ids
        followed = Set(ids)
        isNamed = !ids.isEmpty
        // A single download has its own stream, so that events of other downloads are not sent.
        let path = ids.count == 1 ? ClientContext.path(ids[0], "/events") : "/v1/events"
        feed = EventFeed(context.transport, Request("GET", path))
    }

    /// Follows until all downloads end or need an action.
    ///
    /// - Parameters:
    ///   - deadline: by `SystemClock.bootNanoseconds`; nil for none.
    ///   - end: called with each download that has ended or needs a person.
    ///   - work: does other work, and says whether some is left, which is waited for as well.
    /// - Returns: the downloads in order, as they were last; nil when the time was over.
    /// - Throws: `ClientFailure` for what does not pass: a lost connection is waited for.
    func run(
        until deadline: Int64?,
        beside end: (DownloadView, JSON) throws(ClientFailure) -> Void = { _, _ in },
        work: () throws(ClientFailure) -> Bool = { false }
    ) throws(ClientFailure) -> [DownloadView]? {
        // A service that cannot be reached at the start is an error, not waited for.
        try refresh()
        while true {
            while !over.isEmpty {
                let id = over.removeFirst()
                if let view = views[id], let document = documents[id] { try end(view, document) }
            }
            let isWorking = try work()
            let shown = order.compactMap { views[$0] }
            let isOver = !isStale && shown.allSatisfy(\.isOver)
            if isOver, !isWorking {
                context.terminal.clearProgress()
                return shown
            }
            if let deadline, SystemClock.bootNanoseconds() >= deadline {
                context.terminal.clearProgress()
                return nil
            }
            do throws(ClientFailure) {
                if isStale { try refresh() }
                if isOver {
                    // The stream of a download ends with it, while its content is brought here.
                    try context.transport.turn(upTo: .milliseconds(100))
                } else {
                    try take(try feed.next(upTo: isWorking ? .milliseconds(100) : .seconds(1)))
                }
            } catch {
                guard error.isTransient else { throw error }
                isStale = true
                noteLoss(error)
                try context.transport.pause(.seconds(1))
            }
            draw()
        }
    }

    private func take(_ step: EventFeed.Step) throws(ClientFailure) {
        switch step {
        case .opened: try refresh()
        case .event(let event): try take(event)
        case .ended:
            try refresh()
            try context.transport.pause(.seconds(1))
        case .quiet: try explainAgain()
        case .lost(let failure):
            isStale = true
            noteLoss(failure)
        }
    }

    /// Whether the states have to be read, because events may have been missed.
    private var isStale = false
    /// Whether the states were read at least once.
    private var isExplored = false

    /// The latest document of a download.
    func document(_ id: String) -> JSON? { documents[id] }

    /// Reads the states: the stream does not contain earlier events.
    private func refresh() throws(ClientFailure) {
        if !isExplored, order.isEmpty {
            try readLists()
        } else {
            // Many downloads are read as lists, and those that have left the lists one by one.
            let isLong = order.count > DownloadFollower.readsAtMost && filter != nil
            let seen = isLong ? try readLists() : []
            for id in order where views[id]?.hasEnded != true && !seen.contains(id) {
                let document = try context.get(ClientContext.path(id))
                if let view = DownloadView(document) { try note(view, document) }
            }
        }
        isExplored = true
        (isStale, isLossNoted) = (false, false)
    }

    /// Reads the lists of downloads that have not ended.
    ///
    /// - Returns: the ids of the followed ones on them.
    @discardableResult private func readLists() throws(ClientFailure) -> Set<String> {
        var seen: Set<String> = []
        let path = filter?.path ?? "/v1/downloads"
        var query = filter?.query ?? []
        if !query.contains(where: { $0.name == "state" }) {
            let states = "suspended,waiting,running,canceling,attention_required"
            query.append(("state", filter?.isOfUploads == true ? "receiving,\(states)" : states))
        }
        query.append(("order", "created_at"))
        let isCut = try context.list(path, query: query, most: DownloadFollower.followedAtMost) {
            document throws(ClientFailure) in
            guard let view = DownloadView(document) else { return }
            if !isExplored, !isNamed, followed.insert(view.id).inserted { order.append(view.id) }
            guard followed.contains(view.id) else { return }
            seen.insert(view.id)
            try note(view, document)
        }
        if isCut, !isExplored {
            context.terminal.note(
                "only the first \(DownloadFollower.followedAtMost) are followed")
        }
        return seen
    }

    private func take(_ event: EventReader.Event) throws(ClientFailure) {
        guard event.name.hasPrefix("download.") || event.name.hasPrefix("upload.") else { return }
        guard let document = EventsVerb.document(event), let data = document["data"],
            let view = DownloadView(data), followed.contains(view.id)
        else { return }
        let isProgress = event.name.hasSuffix(".progress")
        if printsEvents, context.isJSON, !isProgress { try context.say(document) }
        // An event older than the state that was read brings nothing new.
        let known = views[view.id]?.sequence ?? -1
        guard isProgress ? view.sequence >= known : view.sequence > known else { return }
        // Events do not contain blockers, so a waiting download is read.
        if view.state == "waiting" || view.hasEnded {
            let whole = try context.get(ClientContext.path(view.id))
            if let read = DownloadView(whole) { try note(read, whole) }
        } else {
            try note(view, data)
        }
    }

    private func note(_ view: DownloadView, _ document: JSON) throws(ClientFailure) {
        if view.isOver, views[view.id]?.state != view.state { over.append(view.id) }
        views[view.id] = view
        documents[view.id] = document
        let sentence = view.sentence(context.clock)
        // The sentence shows the time until an instant, which changes with every look; this key
        // does not.
        let key = view.state + (view.blocker ?? "") + (view.error ?? "")
        guard said[view.id] != key else { return }
        said[view.id] = key
        guard !context.isJSON, !context.terminal.drawsProgress || view.isOver else { return }
        context.terminal.note("\(view.id) \(view.name) \(sentence)")
    }

    /// Reads the reason for waiting again, because it can change without an event.
    private func explainAgain() throws(ClientFailure) {
        let now = SystemClock.bootNanoseconds()
        guard now - explainedAt > 15_000_000_000 else { return }
        explainedAt = now
        let waiting = order.filter { views[$0]?.state == "waiting" }
        for id in waiting.prefix(DownloadFollower.linesAtMost) {
            let document = try context.get(ClientContext.path(id))
            if let view = DownloadView(document) { try note(view, document) }
        }
    }

    private func noteLoss(_ failure: ClientFailure) {
        guard !isLossNoted else { return }
        isLossNoted = true
        context.terminal.note("\(failure.description); trying again")
    }

    private func draw() {
        guard !context.isJSON else { return }
        let lines = min(DownloadFollower.linesAtMost, context.terminal.progressLines)
        context.terminal.drawOften { columns in
            ProgressPanel(
                order.compactMap { views[$0] }, context.clock, bars: bars(), total: total()
            ).lines(atMost: lines, columns: columns)
        }
    }
}
