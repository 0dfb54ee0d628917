// A download's request and the end of its bytes, from which a new download can be made.
package import Base

/// The request and the resume point of a download that has not ended; clients get it sealed.
package struct ResumeData: Sendable {
    /// The most bytes of the text that clients keep.
    package static let bytesAtMost = 131_072
    /// The prefix of that text.
    private static let mark = "rd_"
    private static let version: Int64 = 1

    /// The members of an equivalent create.
    package let members: JSONObject
    /// The end of its bytes; `source` is the download that has them.
    package let point: ResumePoint
    /// The time until which a download can be made from it.
    package let expiresAt: Timestamp
    /// Whether the download is ephemeral, so that the data is of use in such sessions only.
    package let isEphemeral: Bool

    /// Creates the resume data of a download; nil if its bytes could not be continued.
    ///
    /// - Parameters:
    ///   - download: as it is.
    ///   - point: where a later attempt of it would go on.
    ///   - bound: what it is asked for with; only what goes to its own URL is taken along.
    ///   - expiresAt: until when a download can be made from it.
    package init?(
        _ download: Download, _ point: ResumePoint?, secrets bound: BoundSecrets,
        expiresAt: Timestamp
    ) {
        let spec = download.shared.value
        guard var point, point.offset > 0, spec.request.method == .get,
            ResumePlan(
                point, instance: point.instance, hasDigest: spec.expectedDigest.provesContent)
                != .whole
        else { return nil }
        point.source = point.source ?? download.id
        point.mirrors = nil
        let secrets = bound.kept(for: download.url) ?? RequestSecrets()
        var members: JSONObject = ["url": .string(download.url)]
        if !spec.urls.isEmpty { members["urls"] = .array(spec.urls.map { .string($0) }) }
        members["expected_digest"] = spec.expectedDigest.map { .string($0.text) }
        members["count_of_bytes_client_expects_to_receive"] = download.bytesExpectedByClient.map {
            .integer($0)
        }
        members["filename"] = spec.filename.map { .string($0) }
        if !secrets.headers.isEmpty {
            members["headers"] = .object(
                JSONObject(members: secrets.headers.map { ($0.name, .string($0.value)) }))
        }
        members["authorization"] = secrets.authorization?.json
        if let url = spec.request.proxyURL {
            var proxy: JSONObject = ["url": .string(url)]
            proxy["username"] = bound.proxyCredentials.map { .string($0.username) }
            proxy["password"] = bound.proxyCredentials.map { .string($0.password) }
            members["proxy"] = .object(proxy)
        }
        self.members = members
        self.point = point
        self.expiresAt = expiresAt
        isEphemeral = spec.isEphemeral
    }

    /// The associated data that binds the sealed form to apps of one name, in this deployment and
    /// others.
    package static func associatedData(ofApp name: String) -> [UInt8] {
        Array("resume_data/\(name)".utf8)
    }

    /// The form that is sealed.
    package var plain: [UInt8] {
        JSON.object([
            "version": .integer(ResumeData.version), "members": .object(members),
            "point": .object(point.json), "expires_at": .string(expiresAt.rfc3339),
            "is_ephemeral": .bool(isEphemeral),
        ]).serialized()
    }

    /// Reads `plain`; nil for anything else.
    package init?(plain: [UInt8]) {
        guard let object = JSONObject(text: plain),
            object["version"]?.integerValue == ResumeData.version,
            let members = object["members"]?.objectValue,
            let point = object["point"]?.objectValue.flatMap(ResumePoint.init(stored:)),
            let text = object["expires_at"]?.stringValue,
            let expiresAt = Timestamp(rfc3339: text)
        else { return nil }
        (self.members, self.point, self.expiresAt) = (members, point, expiresAt)
        isEphemeral = object["is_ephemeral"] == true
    }

    /// The text that clients keep.
    package static func text(of sealed: [UInt8]) -> String { mark + Base64.encode(sealed) }

    /// The sealed bytes of a text; nil for anything else.
    package static func sealed(in text: String) -> [UInt8]? {
        guard text.hasPrefix(mark) else { return nil }
        return Base64.decode(String(text.dropFirst(mark.utf8.count)))
    }
}
