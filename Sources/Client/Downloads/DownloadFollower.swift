// Following downloads on an event stream that is opened again after every loss.
internal import Base
internal import Platform

/// Follows downloads until they end or need an action, with bars on a terminal and lines elsewhere.
final class DownloadFollower {
    private let context: ClientContext
    private let feed: EventFeed
    /// The ids of the followed downloads, in the order in which they were first seen; all downloads
    /// of the app if `isOpen`.
    private var order: [String] = []
    private var views: [String: DownloadView] = [:]
    private var documents: [String: JSON] = [:]
    private var said: [String: String] = [:]
    private var isLossNoted = false
    private var explainedAt: Int64 = 0
    /// The most lines of bars at once.
    private static let linesAtMost = 20

    private let printsEvents: Bool

    /// Creates a follower of some downloads; without ids, of all that have not ended.
    ///
    /// - Parameters:
    ///   - context: of the command.
    ///   - ids: which, in the order in which they are shown.
    ///   - printsEvents: whether events are printed with `--json`.
    init(_ context: ClientContext, _ ids: [String], printsEvents: Bool) {
        self.context = context
        self.printsEvents = printsEvents
        order = ids
        // A single download has its own stream, so that events of other downloads are not sent.
        let path = ids.count == 1 ? ClientContext.path(ids[0], "/events") : "/v1/events"
        feed = EventFeed(context.transport, Request("GET", path))
    }

    /// Follows until all downloads end or need an action.
    ///
    /// - Parameter deadline: by `SystemClock.bootNanoseconds`; nil for none.
    /// - Returns: the downloads in order, as they were last; nil when the time was over.
    /// - Throws: `ClientFailure` for what does not pass: a lost connection is waited for.
    func run(until deadline: Int64?) throws(ClientFailure) -> [DownloadView]? {
        // A service that cannot be reached at the start is an error, not waited for.
        try refresh()
        while true {
            let shown = order.compactMap { views[$0] }
            if !isStale, shown.allSatisfy(\.isOver) {
                context.terminal.clearProgress()
                return shown
            }
            if let deadline, SystemClock.bootNanoseconds() >= deadline {
                context.terminal.clearProgress()
                return nil
            }
            do throws(ClientFailure) {
                if isStale { try refresh() }
                try take(try feed.next(upTo: .seconds(1)))
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
        if order.isEmpty, !isExplored {
            let states = "suspended,waiting,running,canceling,attention_required"
            let page = try context.get(
                "/v1/downloads",
                query: [("state", states), ("limit", "200"), ("order", "created_at")])
            for document in page["data"]?.arrayValue ?? [] {
                guard let view = DownloadView(document) else { continue }
                order.append(view.id)
                try note(view, document)
            }
        } else {
            for id in order where views[id]?.hasEnded != true {
                let document = try context.get(ClientContext.path(id))
                if let view = DownloadView(document) { try note(view, document) }
            }
        }
        isExplored = true
        (isStale, isLossNoted) = (false, false)
    }

    private func take(_ event: EventReader.Event) throws(ClientFailure) {
        guard event.name.hasPrefix("download.") || event.name.hasPrefix("upload.") else { return }
        guard let document = EventsVerb.document(event), let data = document["data"],
            let view = DownloadView(data), order.contains(view.id)
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
        for id in order.prefix(DownloadFollower.linesAtMost) where views[id]?.state == "waiting" {
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
        context.terminal.draw { columns in
            let shown = order.compactMap { views[$0] }.filter { !$0.isOver }
            return shown.prefix(DownloadFollower.linesAtMost).map { view in
                guard view.state != "running" else { return view.bar.line(columns: columns) }
                let name = Printable.cut(view.name, to: columns / 3)
                return Printable.cut(
                    "\(name)  \(view.sentence(context.clock))", to: columns)
            }
        }
    }
}
