// Creates an upload: validates it, reserves its room, stores it durably, then answers.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Scheduling
internal import Store

extension UploadEndpoints {
    /// The members of a download that an upload does not have, with the reason.
    private static let foreign: KeyValuePairs = [
        "url": "give destination the address that the file goes to",
        "urls": "an upload has one source, its client",
        "resume_data": "an upload goes on at its content.href",
        "count_of_bytes_client_expects_to_receive": "the length of an upload is exact: length",
        "replaces": "an upload replaces nothing; cancel the other one",
        "on_duplicate_url": "an upload shares its bytes with no other one",
        "begin_hook": "give destination a hook, which is asked before each try",
        "segments": "the bytes come from the client",
        "if_changed_from": "the bytes come from the client",
        "if_none_match": "the bytes come from the client",
        "if_modified_since": "the bytes come from the client",
    ]

    /// `POST /v1/uploads`.
    func create(_ call: Call) async throws(Problem) -> Response {
        let document = try call.document()
        guard let object = document.objectValue else { throw .invalid("#", "must be an object") }
        let (upload, source) = try await announced(object, call)
        let place = LayeredObject(
            LayeredObject.Layer(try UploadEndpoints.request(of: object), at: "#"))
        var request = try DownloadBuilder.read(place)
        request.upload = upload
        request.bytesExpectedToReceive = upload.length
        if let source, request.expectedDigest == nil {
            request.expectedDigest = UploadEndpoints.digest(source.sha256)
        }
        let id = downloads.makeIdentifier(call.now).ofUpload
        var new = try await downloads.builder.build(request, id, call, at: place)
        new.resume = ResumePoint(stagingAt: source?.holder ?? access.instance.hexadecimal)
        new.resume?.total = upload.length
        if let first = try await downloads.first(of: new, at: place, call) { return first }
        if try call.isDryRun {
            return downloads.answers.response(new.download, AdmissionCandidate(new))
        }
        return try await stored(new, upload, call, at: place)
    }

    private func stored(
        _ new: NewDownload, _ upload: Upload, _ call: Call, at place: LayeredObject
    ) async throws(Problem) -> Response {
        try await downloads.quota.expectRoom(for: 1, call)
        try await reservations.expectRoom(for: upload.length, call)
        if upload.source == nil {
            if let refusal = await access.reserve(new.download.id, upload.length) {
                throw refusal.problem
            }
        }
        let session = new.download.session
        let answer: Response?
        do throws(Problem) {
            answer = try await downloads.remembering(session, call) { () throws(Problem) in
                try await downloads.store(new, call)
            }
        } catch {
            await access.remove(new.download.id)
            throw error
        }
        guard let answer, answer.isFirst else {
            await access.remove(new.download.id)
            if let answer { return answer }
            // A concurrent create with its external id was committed first.
            if let first = try await downloads.first(of: new, at: place, call) { return first }
            return try Idempotency.answer(.inProgress)
        }
        downloads.wake(for: [new])
        if upload.source != nil { access.sourcesChanged() }
        return answer
    }

    private static func digest(_ sha256: String) -> ExpectedDigest? {
        do throws(DigestError) {
            return try ExpectedDigest("sha256:" + sha256)
        } catch {
            return nil
        }
    }

    /// The body as that of a download, whose `url` stands for the destination.
    private static func request(of object: JSONObject) throws(Problem) -> JSONObject {
        var reader = FieldReader(object)
        for (name, reason) in foreign where object[name] != nil {
            reader.refuse(name, "is no member of an upload: \(reason)")
        }
        for name in RequestMembers.changeable where object[name] != nil {
            reader.refuse(
                name, "is no member of an upload: give destination its headers and credentials")
        }
        if object["destination"]?.isNull ?? true {
            reader.refuse("destination", "is required: an object with a url, or with a name")
        }
        let destination = object["destination"]?.objectValue
        if destination?["keep_content"]?.boolValue == true {
            reader.refuse(
                "destination", "cannot have keep_content true: an upload is never readable here")
        }
        if destination?["keep"] != nil {
            reader.refuse("destination", "cannot have keep: the object of an upload stays")
        }
        guard reader.errors.isEmpty else { throw .invalid(reader.errors) }
        var request = object
        (request["length"], request["from"]) = (nil, nil)
        request["url"] = .string("http://upload.invalid/")
        return request
    }

    /// The length and the source of the bytes, as the body gives them.
    ///
    /// - Throws: `validation-failed` for anything else.
    private func announced(
        _ object: JSONObject, _ call: Call
    ) async throws(Problem) -> (Upload, HeldSource?) {
        let hasSource = !(object["from"]?.isNull ?? true)
        let hasLength = !(object["length"]?.isNull ?? true)
        guard hasSource != hasLength else {
            throw .invalid(
                "#/length",
                hasSource
                    ? "cannot be given together with from, whose content has its own length"
                    : "is required: the exact number of bytes that you will send")
        }
        guard hasSource else {
            guard let length = object["length"]?.integerValue, length >= 0 else {
                throw .invalid("#/length", "must be the number of bytes, 0 or more")
            }
            guard length <= access.lengthAtMost else {
                throw .invalid(
                    "#/length",
                    "must be at most \(access.lengthAtMost), as the operator set it in "
                        + "LULL_UPLOAD_MAX")
            }
            return (Upload(length: length), nil)
        }
        let source = try await source(of: object, call)
        var upload = Upload(length: source.length)
        upload.source = source.download.hexadecimal
        return (upload, source)
    }

    /// The held content that an upload sends.
    private func source(
        of object: JSONObject, _ call: Call
    ) async throws(Problem) -> HeldSource {
        try call.grant.expect(.readContent)
        guard let text = object["from"]?["download"]?.stringValue,
            let id = Identifier(text, kind: .download)
        else {
            throw .invalid("#/from", "must be {\"download\": the identifier of a download}")
        }
        let record = try await downloads.reader.find(id, call)
        let holder = try await call.stored { () throws(StoreError) in
            try await contents.holder(of: id)
        }
        guard let content = record.download.result.content, content.state == .held, let holder,
            content.location != .store
        else {
            throw .invalid(
                "#/from/download",
                "has no content on a replica of this service (content.state held, content.location "
                    + "replica)")
        }
        return HeldSource(
            download: id, length: content.length, holder: holder.instance.hexadecimal,
            sha256: content.sha256)
    }
}

/// Content of a download from which an upload takes its bytes.
private struct HeldSource {
    let download: Identifier
    let length: Int64
    /// The data directory that has the file.
    let holder: String
    let sha256: String
}
