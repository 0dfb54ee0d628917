// The bytes of a finished download, straight from the file.
internal import Core
internal import Crypto
internal import HTTPWire
internal import Store

extension Router {
    /// `GET` and `HEAD /v1/downloads/{id}/content`.
    func getContent(_ call: Call) async throws(Problem) -> Response {
        let id = try downloadIdentifier(call)
        let record = try await download(id, call)
        guard let facts = ContentFacts(record) else { throw Router.noContent(record.download) }
        try Router.expectHeld(record.download)
        let releases = try call.query.bool("release") ?? false
        let headers = facts.headers(
            representationDigest: Base64.encode(Hex.decode(facts.digest) ?? []))
        switch try ContentSelection.choose(call.request, facts) {
        case .notModified:
            return Response(status: 304, headers: headers)
        case .unsatisfiable:
            var problem = Problem(
                .rangeNotSatisfiable, "The content has \(facts.length) bytes.")
            problem.headers = [("Content-Range", "bytes */\(facts.length)")]
            throw problem
        case .whole:
            let file = try await open(record, facts, call)
            guard releases, call.request.method == "GET" else {
                return Response(status: 200, headers: headers, body: .file(file))
            }
            // Nothing is sent of an empty file, so nothing would tell that it was.
            if file.length == 0 { try await release(id, facts.fence, call) }
            return Response(
                status: 200, headers: headers,
                body: .file(part(of: file, 0..<file.length, id, facts, call, releases: true)))
        case .part(let range):
            let file = try await open(record, facts, call)
            // The last part is what a client asks for that has all the others.
            let part = part(
                of: file, range.lowerBound..<range.upperBound + 1, id, facts, call,
                releases: releases && range.upperBound == facts.length - 1)
            let field = "bytes \(range.lowerBound)-\(range.upperBound)/\(facts.length)"
            return Response(
                status: 206, headers: headers + [("Content-Range", field)], body: .file(part))
        }
    }

    /// A stretch of a file; it keeps the whole alive, and so the descriptor open.
    private func part(
        of file: FileRegion, _ range: Range<Int64>, _ id: Identifier, _ facts: ContentFacts,
        _ call: Call, releases: Bool
    ) -> FileRegion {
        let sent: @Sendable () -> Void = {
            Task {
                do throws(Problem) {
                    try await self.release(id, facts.fence, call)
                } catch {
                    self.dependencies.report(call.id, "content not released: \(error.detail)")
                }
            }
        }
        return FileRegion(
            descriptor: file.descriptor, offset: range.lowerBound,
            length: range.upperBound - range.lowerBound, sent: releases ? sent : nil,
            close: { withExtendedLifetime(file) {} })
    }

    private func open(
        _ record: DownloadRecord, _ facts: ContentFacts, _ call: Call
    ) async throws(Problem) -> FileRegion {
        let id = record.download.id
        try await lease(record.download, call)
        switch await dependencies.content.open(id, facts.fence) {
        case .open(let file):
            guard file.length == facts.length else {
                dependencies.report(
                    call.id, "the file has \(file.length) bytes, its record \(facts.length)")
                try await expectLost(id, call)
                throw Problem(
                    .internalError,
                    "The file of this download is not as long as it was when it was finished.")
            }
            return file
        case .missing:
            throw try await missing(id, call)
        case .failed(let cause):
            dependencies.report(call.id, cause)
            throw Problem(.internalError, "The file of this download cannot be read.")
        }
    }

    static func noContent(_ download: Download) -> Problem {
        let detail =
            download.state.isTerminal
            ? "The download ended as \(download.state.rawValue), without content."
            : "The download is \(download.state.rawValue); its content is there once it has "
                + "succeeded."
        var problem = Problem(.contentNotReady, detail)
        problem.members["state"] = .string(download.state.rawValue)
        return problem
    }
}
