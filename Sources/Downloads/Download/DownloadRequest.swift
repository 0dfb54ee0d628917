// The request for a download, before the session and the deployment add their defaults.
package import Base

/// The body of a create, read and validated.
package struct DownloadRequest: Equatable, Sendable {
    /// The URL as given.
    package var url: String
    /// Further addresses of the content.
    package var urls: [String]
    /// The session's identifier; `default` where none was named.
    package var session: String
    /// The priority, 0.0 to 1.0.
    package var priority: Double
    /// The earliest begin: no attempt begins before this instant.
    package var earliestBeginDate: Timestamp?
    /// The latest instant for the begin.
    package var beginDeadline: Timestamp?
    /// The latest instant for the completion.
    package var completeBy: Timestamp?
    /// The length of the body that the client expects, in bytes.
    package var bytesExpectedToReceive: Int64?
    /// The length of the request that the client expects, in bytes.
    package var bytesExpectedToSend: Int64?
    /// The client's name for it, unique in its session.
    package var externalID: String?
    /// The external id of the live download of its session that it replaces.
    package var replaces: String?
    /// The rule for a download whose session has a live one for the same bytes.
    package var duplicates: DuplicateRule
    /// Free text, echoed.
    package var taskDescription: String?
    /// Texts by name, echoed.
    package var metadata: JSONObject
    /// The digest that the file must have.
    package var expectedDigest: ExpectedDigest?
    /// The members that say when nothing is to be fetched.
    package var onlyIfChanged: ChangeMembers
    /// The file's name as the client wants it, made safe.
    package var filename: String?
    /// The folder and path for the finished file.
    package var destination: FileDestination?
    /// The receiver that the finished file is sent to.
    package var relay: Relay?
    /// Whether it goes neither to a folder nor to the receiver of its session: a `destination` of
    /// null.
    package var declinesRelay = false
    /// The members of an upload; nil for a download.
    package var upload: Upload?
    /// Sealed resume data, as `GET …/resume_data` of a download returned it.
    package var resumeData: String?
    /// Whether it is created suspended and begins only after a resume.
    package var isSuspended: Bool
    /// The session's values that this download overrides.
    package var overrides: SessionConfiguration
    /// The method, headers, credentials and body of the request, secrets included.
    package var members: RequestMembers

    /// Reads a create's body.
    ///
    /// - Parameters:
    ///   - document: the body, or a part of it.
    ///   - path: the pointer of the part, `#` for the whole.
    /// - Returns: the request, or every finding.
    package static func parse(
        _ document: JSON, at path: String = "#"
    ) -> Result<DownloadRequest, FieldErrors> {
        guard case .object(let object) = document else {
            return .failure([FieldError(path, "must be an object")])
        }
        return parse(LayeredObject(LayeredObject.Layer(object, at: path)))
    }

    /// Reads a download of a batch with the defaults beneath it.
    ///
    /// - Returns: the request, or every finding.
    package static func parse(_ object: LayeredObject) -> Result<DownloadRequest, FieldErrors> {
        var reader = FieldReader(object)
        let request = DownloadRequest(reading: &reader)
        let errors = reader.finish()
        return errors.isEmpty ? .success(request) : .failure(errors)
    }

    private init(reading reader: inout FieldReader) {
        url = reader.string("url", maximumLength: 8192) ?? ""
        if url.isEmpty, reader.errors.isEmpty { reader.refuse("url", "is required") }
        urls = MirrorRules.read(&reader)
        session = reader.string("session", maximumLength: 128) ?? "default"
        if !SessionIdentifier.isValid(session) {
            reader.refuse("session", SessionIdentifier.rule)
        }
        earliestBeginDate = reader.timestamp("earliest_begin_date")
        beginDeadline = reader.timestamp("begin_deadline")
        completeBy = reader.timestamp("complete_by")
        bytesExpectedToReceive = reader.integer(
            "count_of_bytes_client_expects_to_receive", in: 0...(1 << 53))
        bytesExpectedToSend = reader.integer(
            "count_of_bytes_client_expects_to_send", in: 0...(1 << 53))
        priority = reader.number("priority", in: 0...1) ?? 0.5
        externalID = DownloadRequest.externalID("external_id", &reader)
        replaces = DownloadRequest.externalID("replaces", &reader)
        duplicates = reader.word("on_duplicate_url", of: DuplicateRule.self) ?? .independent
        taskDescription = reader.string("task_description", maximumLength: 4096)
        metadata = DownloadRequest.metadata(&reader)
        expectedDigest = nil
        if let text = reader.string("expected_digest", maximumLength: 512) {
            do throws(DigestError) {
                expectedDigest = try ExpectedDigest(text)
            } catch {
                reader.refuse("expected_digest", error.detail)
            }
        }
        onlyIfChanged = ChangeMembers(reading: &reader)
        filename = DownloadRequest.filename(&reader)
        (destination, relay) = (nil, nil)
        switch FileTarget(reading: &reader) {
        case .folder(let folder): destination = folder
        case .receiver(let receiver): relay = receiver
        case nil: declinesRelay = reader.isNull("destination")
        }
        resumeData = reader.string("resume_data", maximumLength: ResumeData.bytesAtMost)
        if duplicates == .join {
            for (name, isGiven) in [
                ("destination", destination != nil || relay != nil),
                ("resume_data", resumeData != nil),
            ] where isGiven {
                reader.refuse(
                    "on_duplicate_url",
                    "cannot be \"join\" together with \(name), because the bytes are those of the "
                        + "other download")
            }
        }
        isSuspended = reader.bool("suspended") ?? false
        overrides = SessionConfiguration(reading: &reader)
        if overrides.beginHook != nil, reader.value("earliest_begin_date") == nil {
            reader.refuse(
                "begin_hook", "needs an earliest_begin_date, because it is sent before that time")
        }
        members = RequestMembers(reading: &reader)
        BeginHook.read(overrides.beginHook, into: &members, &reader)
        Relay.read(relay, into: &members, &reader)
        MirrorRules.judge(self, &reader)
        onlyIfChanged.judge(self, &reader)
    }

    /// The rule for an external id, as a part of a message.
    package static let externalIDRule = "must have 1 to 256 characters and no control characters"

    /// Whether a text may be an external id.
    package static func isExternalID(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        return (1...256).contains(scalars.count)
            && scalars.allSatisfy { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) }
    }

    private static func filename(_ reader: inout FieldReader) -> String? {
        guard let text = reader.string("filename", maximumLength: 255) else { return nil }
        let name = SuggestedFilename.safe(text)
        if name == nil {
            reader.refuse("filename", "has no character that can be in the name of a file")
        }
        return name
    }

    private static func externalID(_ name: String, _ reader: inout FieldReader) -> String? {
        guard let text = reader.string(name, maximumLength: 1024) else { return nil }
        guard isExternalID(text) else {
            reader.refuse(name, externalIDRule)
            return nil
        }
        return text
    }

    /// Texts by name, at most 64 of 1024 bytes.
    package static func metadata(_ reader: inout FieldReader) -> JSONObject {
        guard let value = reader.value("metadata") else { return JSONObject() }
        guard case .object(let object) = value, object.members.count <= 64 else {
            reader.refuse("metadata", "must be an object of at most 64 strings")
            return JSONObject()
        }
        for (key, value) in object.members {
            guard case .string(let text) = value, text.utf8.count <= 1024, key.utf8.count <= 128
            else {
                let place = FieldReader(object, at: reader.pointer("metadata")).pointer(key)
                reader.adopt([
                    FieldError(
                        place,
                        "must be a string of at most 1024 bytes, with a name of at most 128 bytes")
                ])
                continue
            }
        }
        return object
    }
}
