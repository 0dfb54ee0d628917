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
            return Response(status: 200, headers: headers, body: .file(file))
        case .part(let range):
            let file = try await open(record, facts, call)
            let part = Router.part(of: file, range)
            let field = "bytes \(range.lowerBound)-\(range.upperBound)/\(facts.length)"
            return Response(
                status: 206, headers: headers + [("Content-Range", field)], body: .file(part))
        }
    }

    /// A stretch of a file; it keeps the whole alive, and so the descriptor open.
    private static func part(of file: FileRegion, _ range: ClosedRange<Int64>) -> FileRegion {
        FileRegion(
            descriptor: file.descriptor, offset: range.lowerBound,
            length: range.upperBound + 1 - range.lowerBound,
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
