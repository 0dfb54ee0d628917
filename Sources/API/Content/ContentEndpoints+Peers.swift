// Content of other replicas: asked for there, and given to them.
internal import Core
internal import HTTPWire
internal import Store

extension ContentEndpoints {
    /// Seconds after which a client may look whether the replica with the file is back.
    static let retryAfter = 5

    /// The bytes of a file that is not in this data directory.
    ///
    /// - Throws: `not-ready` while the replica that has it is away, `content-unavailable` while that
    ///   one does not find it, or this one if it is to have it.
    func bodyFromElsewhere(
        _ id: Identifier, _ facts: ContentFacts, _ range: ClosedRange<Int64>?, _ call: Call
    ) async throws(Problem) -> Body {
        let contents = reader.downloads.contents
        let holder = try await call.stored { () throws(StoreError) in
            try await contents.holder(of: id)
        }
        let gone = Problem(
            .contentExpired, "The file of this download is no longer in the data directory.")
        guard let holder else { throw gone }
        guard holder.instance != content.instance else {
            throw unavailable(id, facts.fence)
        }
        guard holder.works, let address = holder.address else {
            throw ContentEndpoints.away(
                "The replica that has the file does not work at the moment.")
        }
        let isWanted = !call.request.isHead && facts.length > 0
        let wanted = isWanted ? range ?? 0...(facts.length - 1) : nil
        let answer = await content.fetch(
            PeerRequest(
                address: address, instance: holder.instance, download: id, fence: facts.fence,
                length: facts.length, range: wanted))
        switch answer {
        case .body(let stream):
            guard call.request.isHead else { return .stream(stream) }
            // For HEAD the length counts and no byte is sent.
            let length = range.map { $0.upperBound + 1 - $0.lowerBound } ?? facts.length
            return .stream(BodyStream(length: length) { _ in })
        case .missing:
            // The replica that has the file judges itself whether it is lost.
            throw ContentEndpoints.away("The replica that has the file does not find it.")
        case .unavailable(let cause):
            call.report("content not read from \(address): \(cause)")
            throw ContentEndpoints.away("The replica that has the file does not answer.")
        }
    }

    private static func away(_ detail: String) -> Problem {
        var problem = Problem(.notReady, detail + " Try again.")
        problem.headers = [("Retry-After", "\(retryAfter)")]
        return problem
    }

    /// `GET /internal/content/{id}/{fence}/{instance}`: a file of this replica, for another one.
    func answerPeer(_ call: Call) async throws(Problem) -> Response {
        guard let keys = content.peerKeys, keys.admit(call.request, at: now()) else {
            var problem = Problem(
                .unauthorized,
                "This is for replicas of this deployment; they have the same "
                    + "LULL_ENCRYPTION_KEY_FILE, and sign each request with its time.")
            problem.headers = [("WWW-Authenticate", PeerKeys.scheme)]
            throw problem
        }
        let id = try call.downloadIdentifier()
        guard let fence = Int64(call.parameters[1]) else {
            throw Problem(.notFound, "\"\(call.parameters[1])\" is no number of an attempt.")
        }
        guard call.parameters[2] == content.instance.hexadecimal else {
            throw ContentEndpoints.away("Another replica works at this address now.")
        }
        switch await content.open(id, fence) {
        case .open(let file): return try ContentEndpoints.part(of: file, call)
        case .missing: throw unavailable(id, fence)
        case .failed(let cause):
            call.report(cause)
            throw unavailable(id, fence)
        }
    }

    private static func part(
        of file: FileRegion, _ call: Call
    ) throws(Problem) -> Response {
        let type = [("Content-Type", "application/octet-stream")]
        let fields = call.fields(.range)
        guard fields.count == 1, !call.request.isHead else {
            return Response(status: 200, headers: type, body: .file(file))
        }
        switch ByteRange.read(fields[0], length: file.length) {
        case .whole: return Response(status: 200, headers: type, body: .file(file))
        case .part(let range):
            let field = "bytes \(range.lowerBound)-\(range.upperBound)/\(file.length)"
            return Response(
                status: 206, headers: type + [("Content-Range", field)],
                body: .file(part(of: file, range)))
        case .unsatisfiable:
            var problem = Problem(
                .rangeNotSatisfiable, "The content has \(file.length) bytes.")
            problem.headers = [("Content-Range", "bytes */\(file.length)")]
            throw problem
        }
    }
}
