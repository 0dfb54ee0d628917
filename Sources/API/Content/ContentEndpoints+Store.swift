// Content that lies in the object store of its destination: any replica answers, by an address in
// the store or with the bytes.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Store

extension ContentEndpoints {
    /// The parameter that chooses between an address in the store and the bytes.
    static let via: Parameter = "via"

    /// Whether the client asks for the bytes from this service.
    ///
    /// - Throws: `validation-failed` for another value of `via`.
    static func wantsBytes(_ call: Call) throws(Problem) -> Bool {
        guard let via = call.query[via.name] else { return false }
        guard via == "lull" else { throw .invalid("?" + ContentEndpoints.via.name, "must be lull") }
        return true
    }

    /// Answers a request for content in a store, whose conditions hold.
    ///
    /// A redirect is the answer, except where the service has to see the bytes go: with `via=lull`,
    /// with `If-Range`, which names the service's entity tag, for an ephemeral session, whose
    /// content goes after it was read once, and for a link whose content is shown in place.
    ///
    /// - Throws: `content-unavailable`, `content-changed`.
    func answerFromStore(
        _ record: DownloadRecord, _ reading: ContentReading, _ facts: ContentFacts,
        _ range: ClosedRange<Int64>?, _ headers: [(String, String)], _ call: Call
    ) async throws(Problem) -> Response {
        let request = call.request
        let sendsBytes =
            try ContentEndpoints.wantsBytes(call) || record.download.spec.isEphemeral
            || request.headers["If-Range"] != nil || reading.needsBytes
        try await lease(record.download, call)
        if request.isHead {
            let body = Body.stream(BodyStream(length: facts.length) { _ in })
            return Response(status: 200, headers: headers, body: body)
        }
        let question = try await question(record, facts, call)
        guard sendsBytes else { return try redirect(to: question, headers, call) }
        let body = try await objectBody(question, facts, range, record, call)
        guard let range else {
            return Response(
                status: 200, headers: headers,
                body: readOnce(body, of: record.download, reading, call))
        }
        let field = "bytes \(range.lowerBound)-\(range.upperBound)/\(facts.length)"
        return Response(status: 206, headers: headers + [("Content-Range", field)], body: body)
    }

    /// The object of a download, with the store that its row names.
    private func question(
        _ record: DownloadRecord, _ facts: ContentFacts, _ call: Call
    ) async throws(Problem) -> ObjectAccess.Question {
        let (id, contents) = (record.download.id, reader.downloads.contents)
        let holder = try await call.stored { () throws(StoreError) in
            try await contents.holder(of: id)
        }
        let known = record.download.result.content
        guard let holder, let place = known?.destination else {
            throw Problem(.contentExpired, "The content of this download is no longer kept.")
        }
        return ObjectAccess.Question(
            store: holder.instance, path: place.path, tag: known?.objectTag,
            disposition: ContentDisposition.attachment(name: facts.name), type: facts.type)
    }

    /// Sends the client to the store, with the fields by which it can prove the bytes.
    private func redirect(
        to question: ObjectAccess.Question, _ headers: [(String, String)], _ call: Call
    ) throws(Problem) -> Response {
        switch content.objects.address(question) {
        case .url(let url):
            let kept = headers.filter { $0.0 == "ETag" || $0.0 == "Repr-Digest" }
            return Response(
                status: 307,
                headers: [("Location", url), ("Cache-Control", "no-store")] + kept)
        case .unknownStore: throw ContentEndpoints.unknownStore
        case .failed(let cause):
            call.report("no address could be made for content in a store: \(cause)")
            throw ContentEndpoints.away("The store with the content cannot be used.")
        }
    }

    /// The bytes of an object, passed on as they come.
    private func objectBody(
        _ question: ObjectAccess.Question, _ facts: ContentFacts, _ range: ClosedRange<Int64>?,
        _ record: DownloadRecord, _ call: Call
    ) async throws(Problem) -> Body {
        switch await content.objects.open(question, range) {
        case .content(.open(let file)): return .file(file)
        case .content(.stream(let stream, let length)):
            guard length == facts.length else {
                call.report(
                    "the object has \(length) bytes, but \(facts.length) are recorded")
                throw ContentEndpoints.changedInStore
            }
            return .stream(stream)
        case .content(.missing):
            call.report("the store has no object for a download that has content there")
            throw ContentEndpoints.away(
                "The store has no object for this download at the moment.")
        case .content(.failed(let cause)):
            call.report("content could not be read from its store: \(cause)")
            throw ContentEndpoints.away("The store with the content does not answer.")
        case .changed: throw ContentEndpoints.changedInStore
        case .unknownStore: throw ContentEndpoints.unknownStore
        }
    }

    private static let unknownStore = ContentEndpoints.away(
        "The content is in an object store that this replica does not have in LULL_DESTINATIONS.")

    private static let changedInStore = Problem(
        .contentChanged,
        "The object was replaced in the store by another program. Create the download again to "
            + "fetch its content again.")
}
