internal import LullClient

extension SessionEngine {
    /// Makes the session in the service, and takes what it says until the session is over.
    ///
    /// A stream of events tells what happens. Whenever its connection is there, and twice a minute,
    /// all transfers are listed: so nothing that happened between two connections is missed.
    func listen() async {
        beginAssociation()
        let isMade = await makeSession()
        noteMade()
        guard isMade else { return associated() }
        let (looks, look) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withTaskGroup { group in
            group.addTask { await self.follow { look.yield() } }
            group.addTask {
                for await _ in looks { await self.lookAtAll() }
            }
            group.addTask {
                while !Task.isCancelled {
                    await self.rest(.seconds(30))
                    look.yield()
                }
                look.finish()
            }
        }
    }

    private func makeSession() async -> Bool {
        while !Task.isCancelled {
            do {
                try await lull.putSession(identifier: identifier, document)
                return true
            } catch {
                guard SessionEngine.passes(error) else {
                    noteRefusal()
                    return true
                }
                await rest()
            }
        }
        return false
    }

    private func follow(_ look: @escaping @Sendable () -> Void) async {
        while !Task.isCancelled {
            var stream = lull.events(session: identifier)
            stream.onConnect = look
            do {
                for try await event in stream {
                    switch event.data {
                    case .download(let download):
                        take(Report(download), adopts: false)
                        // An event does not say why a download that had begun waits again.
                        if event.type == .downloadWaiting, download.attempt > 0 { look() }
                    case .upload(let upload): take(Report(upload), adopts: false)
                    default: break
                    }
                }
            } catch {
                await rest()
            }
        }
    }

    private func lookAtAll() async {
        do {
            let mark = [MetadataKey.mark: "1"]
            for try await download in lull.downloads(session: identifier, metadata: mark) {
                let report = Report(download)
                take(report, adopts: kind == .background)
                if isLeft(report) { await forgetTransfer(report) }
            }
            for try await upload in lull.uploads(session: identifier, metadata: mark) {
                let report = Report(upload)
                take(report, adopts: kind == .background)
                if isLeft(report) { await forgetTransfer(report) }
            }
            associated()
        } catch {
            // The next connection or the next half minute lists again.
            return
        }
    }

    /// Whether a failure is one of the connection or of the service, and not of the request.
    static func passes(_ failure: LullError) -> Bool {
        switch failure {
        case .unreachable, .timedOut: true
        case .unexpectedAnswer(let status): status >= 500
        case .problem(let problem, _): problem.status >= 500 || problem.status == 429
        default: false
        }
    }

    /// Waits, for a moment unless it is told how long; a canceled task does not wait.
    func rest(_ time: Duration? = nil) async {
        do {
            try await Task.sleep(for: time ?? .milliseconds(Int.random(in: 200...500)))
        } catch {
            // All callers see that their task is canceled.
            return
        }
    }
}
