// `lull wait` and `lull watch`: until downloads have ended.
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
        for id in context.arguments.operands {
            guard let end = try wait(for: id, until: deadline) else { return .timeOver }
            ends.append(end)
        }
        return WaitVerb.worst(ends)
    }

    /// Shows the downloads' progress.
    func watch() throws(ClientFailure) -> ExitStatus {
        let follower = DownloadFollower(context, context.arguments.operands, printsEvents: true)
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
