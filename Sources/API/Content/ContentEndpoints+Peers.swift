// Content of other replicas: requested from them, and sent to them.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Platform
internal import Store

extension ContentEndpoints {
    /// Seconds after which a client may ask again whether the replica with the file is back.
    static let retryAfter = 5

    /// The bytes of a file that is not in this data directory.
    ///
    /// - Throws: `content-unavailable` while the replica that has it is away, or whichever is to
    ///   have it does not find it; `content-changed` if it was edited.
    func bodyFromElsewhere(
        _ record: DownloadRecord, _ facts: ContentFacts, _ range: ClosedRange<Int64>?, _ call: Call
    ) async throws(Problem) -> Body {
        let id = record.download.id
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
                "The replica that has the file is not running.")
        }
        let isWanted = !call.request.isHead && facts.length > 0
        let wanted = isWanted ? range ?? 0...(facts.length - 1) : nil
        let answer = await content.fetch(
            PeerRequest(
                address: address, instance: holder.instance, download: id, fence: facts.fence,
                length: facts.length, file: record.download.result.content?.expectedFile,
                range: wanted))
        switch answer {
        case .body(let stream):
            guard call.request.isHead else { return .stream(stream) }
            // For HEAD the length is needed and no byte is sent.
            let length = range.map { $0.upperBound + 1 - $0.lowerBound } ?? facts.length
            return .stream(BodyStream(length: length) { _ in })
        case .missing:
            // The replica with the file judges whether it is lost.
            throw ContentEndpoints.away(
                "The replica that has the file cannot find it at the moment.")
        case .changed: throw ContentEndpoints.changed
        case .unproven(let cause), .unavailable(let cause):
            call.report("content could not be read from the replica at \(address): \(cause)")
            throw ContentEndpoints.away("The replica that has the file does not answer.")
        }
    }

    static func away(_ detail: String) -> Problem {
        var problem = Problem(.contentUnavailable, detail + " Try again.")
        problem.headers = [("Retry-After", "\(retryAfter)")]
        return problem
    }

    /// `GET /internal/content/{id}/{fence}/{instance}/{file}/{range}`: sends a file of this replica
    /// to another one.
    func answerPeer(_ call: Call) async throws(Problem) -> Response {
        guard let admission = content.peerKeys?.admit(call.request, at: now()) else {
            var problem = Problem(
                .unauthorized,
                "Only replicas of this deployment may use this path: they sign each request, with "
                    + "its time, by the shared key in LULL_ENCRYPTION_KEY_FILE.")
            problem.headers = [("WWW-Authenticate", PeerKeys.scheme)]
            throw problem
        }
        let id = try call.downloadIdentifier()
        guard let fence = Int64(call.parameters[1]) else {
            throw Problem(.notFound, "\"\(call.parameters[1])\" is not the number of an attempt.")
        }
        guard let range = PeerRequest.range(of: call.parameters[4]) else {
            throw Problem(.notFound, "\"\(call.parameters[4])\" is not a range of bytes.")
        }
        guard call.parameters[2] == content.instance.hexadecimal else {
            throw ContentEndpoints.away("Another replica is running at this address.")
        }
        switch await content.open(id, fence, nil) {
        case .open(let file):
            let expected = call.parameters[3]
            if expected != PeerRequest.anyFile, content.facts(file)?.text != expected {
                try await expectUnchanged(id, fence, file, admission, call)
            }
            return ContentEndpoints.proven(file, range, admission)
        case .stream:
            throw ContentEndpoints.away("Each replica reads this content from its place itself.")
        case .missing:
            var problem = unavailable(id, fence)
            let proof = admission.proof(status: problem.kind.status, length: nil)
            problem.headers.append((PeerProof.field, proof.headText))
            throw problem
        case .failed(let cause):
            call.report(cause)
            throw unavailable(id, fence)
        }
    }

    /// Refuses a placed file whose facts differ from those that the other replica expects, if its
    /// bytes differ.
    private func expectUnchanged(
        _ id: Identifier, _ fence: Int64, _ file: FileRegion, _ admission: PeerKeys.Admission,
        _ call: Call
    ) async throws(Problem) {
        let contents = reader.downloads.contents
        let known = try await call.stored { () throws(StoreError) in
            try await contents.described(id, fence: fence)
        }
        guard let known else { return }
        do {
            try await expectUnchanged(id, fence: fence, known, file, call)
        } catch {
            guard error.kind == .contentChanged else { throw error }
            // With the length, because the file exists, although without the download's bytes.
            var problem = error
            let proof = admission.proof(status: problem.kind.status, length: file.length)
            problem.headers = [
                (PeerProof.lengthField, "\(file.length)"), (PeerProof.field, proof.headText),
            ]
            throw problem
        }
    }

    /// The answer to another replica: the length of the file, and the sealed blocks of the range.
    ///
    /// If a file ends before the range does, the answer has no bytes.
    private static func proven(
        _ file: FileRegion, _ range: ClosedRange<Int64>?, _ admission: PeerKeys.Admission
    ) -> Response {
        let proof = admission.proof(status: 200, length: file.length)
        var response = Response(
            status: 200,
            headers: [
                ("Content-Type", "application/octet-stream"),
                (PeerProof.lengthField, "\(file.length)"), (PeerProof.field, proof.headText),
            ])
        guard let range, range.upperBound < file.length else { return response }
        let count = range.upperBound + 1 - range.lowerBound
        response.body = .stream(
            BodyStream(length: PeerProof.sentLength(of: count)) { writer in
                var next = range.lowerBound
                while next <= range.upperBound {
                    let count = Int(min(Int64(PeerProof.blockBytes), range.upperBound + 1 - next))
                    let read = PositionedRead.bytes(
                        of: file.descriptor, at: file.offset + next, count: count)
                    // If the rest cannot be read the connection ends, which proves nothing.
                    guard var block = read else { return }
                    block += proof.seal(block, at: next)
                    guard await writer.write(block) else { return }
                    next += Int64(count)
                }
            })
        return response
    }
}
