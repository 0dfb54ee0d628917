// `lull wait` and `lull watch`: until downloads have ended.
internal import Base
internal import Platform

/// Waits for downloads; the exit status is that of the worst end.
struct WaitVerb {
    /// The most seconds for which the service holds an answer.
    private static let secondsAtMost: Int64 = 50

    let context: ClientContext

    /// Waits without output.
    func wait() throws(ClientFailure) -> ExitStatus {
        let deadline = try context.deadline()
        var ends: [ExitStatus] = []
        for id in try selected() {
            guard let end = try wait(for: id, until: deadline) else { return .timeOver }
            ends.append(end)
        }
        return WaitVerb.worst(ends)
    }

    /// The downloads that were named, or those that have not ended and match the filter.
    private func selected() throws(ClientFailure) -> [String] {
        let ids = context.arguments.operands
        let filter = try filter()
        guard ids.isEmpty else { return ids }
        guard !filter.isEmpty || filter.isOfUploads else {
            throw .usage("lull wait needs an ID, or a filter such as --session")
        }
        var query = filter.query
        if !query.contains(where: { $0.name == "state" }) {
            let states = "suspended,waiting,running,canceling,attention_required"
            query.append(("state", filter.isOfUploads ? "receiving,\(states)" : states))
        }
        var found: [String] = []
        _ = try context.list(filter.path, query: query) { document throws(ClientFailure) in
            if let id = document["id"]?.stringValue { found.append(id) }
        }
        if found.isEmpty { context.terminal.note("no download waits or runs") }
        return found
    }

    private func filter() throws(ClientFailure) -> DownloadFilter {
        let filter = try DownloadFilter(context.arguments)
        guard filter.isEmpty || context.arguments.operands.isEmpty else {
            throw .usage("give identifiers of downloads or a filter, not both")
        }
        return filter
    }

    /// Shows the downloads' progress.
    func watch() throws(ClientFailure) -> ExitStatus {
        let follower = DownloadFollower(
            context, context.arguments.operands, filter: try filter(), printsEvents: true)
        guard let views = try follower.run(until: try context.deadline()) else { return .timeOver }
        if views.isEmpty { context.terminal.note("no download waits or runs") }
        return WaitVerb.worst(views.compactMap { ExitStatus(ofState: $0.state) })
    }

    /// The exit status for several ends: that of a failure if there is one, or that of a download
    /// that needs an action.
    static func worst(_ ends: [ExitStatus]) -> ExitStatus {
        if ends.contains(.failed) { return .failed }
        return ends.contains(.needsYou) ? .needsYou : .done
    }

    private func wait(for id: String, until deadline: Int64?) throws(ClientFailure) -> ExitStatus? {
        var etag: String?
        var wasReached = false
        while true {
            let left = deadline.map { ($0 - SystemClock.bootNanoseconds()) / 1_000_000_000 }
            let seconds = max(0, min(WaitVerb.secondsAtMost, left ?? WaitVerb.secondsAtMost))
            var request = Request("GET", ClientContext.path(id))
            request.query = [(name: "wait", value: String(wasReached ? seconds : 0))]
            if let etag, wasReached { request.headers = [(name: "If-None-Match", value: etag)] }
            request.timeout = .seconds(seconds + 30)
            do throws(ClientFailure) {
                let reply = try context.transport.send(request)
                if reply.status == 200 {
                    etag = reply["etag"]
                    if let view = DownloadView(try reply.json()),
                        let end = ExitStatus(ofState: view.state)
                    {
                        return end
                    }
                }
                wasReached = true
            } catch {
                guard error.isTransient, wasReached else { throw error }
                try context.transport.pause(error.retryAfter ?? .seconds(1))
            }
            if let deadline, SystemClock.bootNanoseconds() >= deadline { return nil }
        }
    }
}
