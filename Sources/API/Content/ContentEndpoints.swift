// The content of finished downloads: sent from the file, or released.
internal import Base
internal import Crypto
internal import Downloads
internal import HTTPWire
internal import Platform
internal import Store

/// The endpoints of `/v1/downloads/{id}/content`, and of the links to it.
final class ContentEndpoints: EndpointGroup {
    let reader: DownloadReader
    let content: ContentAccess
    let now: @Sendable () -> Timestamp
    let delivered: @Sendable () -> Void
    /// The tasks that release content after it was read once.
    let tasks = TaskOwner()
    let checks: PlacedFileChecks
    /// The keys that sign links.
    let secrets: SecretBox
    /// The URL of the service for clients, without a slash at its end; empty for paths.
    let publicURL: String

    /// Creates the group with the values that its endpoints use.
    init(
        reader: DownloadReader, content: ContentAccess, secrets: SecretBox, publicURL: String,
        now: @escaping @Sendable () -> Timestamp, delivered: @escaping @Sendable () -> Void
    ) {
        self.secrets = secrets
        self.publicURL = publicURL
        self.delivered = delivered
        self.reader = reader
        self.content = content
        checks = PlacedFileChecks(facts: content.facts)
        self.now = now
    }

    var routes: [Route] {
        let path = "/v1/downloads/{id}/content"
        let answers: [RouteAnswer] = [
            .file(200), .file(206), .notModified, .empty(307), .problem(.rangeNotSatisfiable),
        ]
        return [
            Route(
                "GET", path, "getContent", scope: .readContent, query: [ContentEndpoints.via],
                headers: [.range, .ifRange] + .conditions, answers: answers,
                ignoresAccept: true, .later(get)),
            Route(
                "POST", path + "/link", "createContentLink", scope: .readContent,
                body: [MediaType.json], answers: [.json(201)], .later(makeLink)),
            Route(
                "GET", ContentEndpoints.linkPath + "{token}", "getLinkedContent", scope: nil,
                headers: [.range, .ifRange] + .conditions, answers: answers,
                ignoresAccept: true, .later(open)),
            Route(
                "DELETE", path, "releaseContent", scope: .writeDownloads, headers: .conditions,
                answers: [.empty(204)], ignoresAccept: true, .later(release)),
            Route(
                "HEAD", path, "headContent", scope: .readContent, query: [ContentEndpoints.via],
                headers: .conditions,
                answers: [.file(200), .notModified], ignoresAccept: true, .later(get)),
            Route(
                "GET", PeerRequest.pattern, "getContentOfReplica", scope: nil,
                answers: [.file(200)], ignoresAccept: true, .later(answerPeer)),
        ]
    }

    /// `GET` and `HEAD /v1/downloads/{id}/content`.
    func get(_ call: Call) async throws(Problem) -> Response {
        let id = try call.downloadIdentifier()
        let record = try await reader.find(id, call)
        return try await answer(record, ContentReading(app: call.app), call)
    }

    /// Answers a request for the content of a download.
    ///
    /// - Parameters:
    ///   - record: the download.
    ///   - reading: how its content is read.
    ///   - call: the request, with its conditions and its range.
    /// - Returns: the content, a part of it, or its address in a store.
    /// - Throws: the reason why there is no content, or why the conditions do not hold.
    func answer(
        _ record: DownloadRecord, _ reading: ContentReading, _ call: Call
    ) async throws(Problem) -> Response {
        guard let facts = ContentFacts(record) else { throw Problem.noContent(record.download) }
        try ContentEndpoints.expectHeld(record.download)
        let headers = facts.headers(
            representationDigest: Base64.encode(Hex.decode(facts.digest) ?? []),
            disposition: facts.disposition(isInline: reading.isInline))
        let isInStore = record.download.result.content?.location == .store
        switch try ContentSelection.choose(call.request, facts) {
        case .whole where isInStore:
            return try await answerFromStore(record, reading, facts, nil, headers, call)
        case .part(let range) where isInStore:
            return try await answerFromStore(record, reading, facts, range, headers, call)
        case .notModified:
            return Response(status: 304, headers: headers)
        case .unsatisfiable:
            var problem = Problem(
                .rangeNotSatisfiable, "The content has \(facts.length) bytes.")
            problem.headers = [("Content-Range", "bytes */\(facts.length)")]
            throw problem
        case .whole:
            let whole = try await body(record, facts, nil, call)
            return Response(
                status: 200, headers: headers,
                body: readOnce(whole, of: record.download, reading, call))
        case .part(let range):
            let part = try await body(record, facts, range, call)
            let field = "bytes \(range.lowerBound)-\(range.upperBound)/\(facts.length)"
            return Response(
                status: 206, headers: headers + [("Content-Range", field)], body: part)
        }
    }

    /// A part of a file; it keeps the whole region, and with it the descriptor, open.
    static func part(of file: FileRegion, _ range: ClosedRange<Int64>) -> FileRegion {
        FileRegion(
            descriptor: file.descriptor, offset: range.lowerBound,
            length: range.upperBound + 1 - range.lowerBound,
            close: { withExtendedLifetime(file) {} })
    }

    /// The bytes of a file or of a range: from this replica, or from the one that has it.
    private func body(
        _ record: DownloadRecord, _ facts: ContentFacts, _ range: ClosedRange<Int64>?,
        _ call: Call
    ) async throws(Problem) -> Body {
        let id = record.download.id
        try await lease(record.download, call)
        switch await content.open(id, facts.fence, range) {
        case .open(let file):
            if let known = record.download.result.content {
                try await expectUnchanged(id, fence: facts.fence, known, file, call)
            }
            try expectLength(file.length, id, facts, call)
            return .file(range.map { ContentEndpoints.part(of: file, $0) } ?? file)
        case .stream(let stream, let length):
            try expectLength(length, id, facts, call)
            // For HEAD the length is needed and no byte is sent.
            guard call.request.isHead else { return .stream(stream) }
            return .stream(BodyStream(length: stream.length) { _ in })
        case .missing:
            return try await bodyFromElsewhere(record, facts, range, call)
        case .failed(let cause):
            call.report(cause)
            throw unavailable(id, facts.fence)
        }
    }

    /// Refuses content that has another length than its record says.
    private func expectLength(
        _ length: Int64, _ id: Identifier, _ facts: ContentFacts, _ call: Call
    ) throws(Problem) {
        guard length != facts.length else { return }
        call.report("the file has \(length) bytes, but \(facts.length) are recorded")
        throw unavailable(id, facts.fence)
    }
}

extension Problem {
    /// The refusal for a download without content.
    static func noContent(_ download: Download) -> Problem {
        let detail =
            download.state.isTerminal
            ? "The download is \(download.state.rawValue) and has no content."
            : "The download is \(download.state.rawValue). Its content is available once it has "
                + "succeeded."
        var problem = Problem(.contentNotReady, detail)
        problem.members["state"] = .string(download.state.rawValue)
        return problem
    }
}
