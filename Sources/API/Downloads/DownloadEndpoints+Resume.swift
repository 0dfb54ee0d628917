// Resume data: a sealed request and resume point, from which a download can be made in this or
// another deployment.
internal import Base
internal import Crypto
internal import Downloads
internal import HTTPWire
internal import Store

extension DownloadEndpoints {
    /// The time for which resume data is valid.
    private static let kept = Duration.seconds(7 * 86_400)

    /// `GET /v1/downloads/{id}/resume_data`.
    func resumeData(_ call: Call) async throws(Problem) -> Response {
        let id = try call.downloadIdentifier()
        let download = try await reader.find(id, call).download
        let point = try await call.stored { () throws(StoreError) in
            try await reader.downloads.resumePoint(of: id)
        }
        let opened = try await sealer.opened(download, call)
        let data = opened.flatMap {
            ResumeData(
                download, point, secrets: $0, expiresAt: call.now + DownloadEndpoints.kept)
        }
        guard let data else {
            var problem = Problem(
                .noResumeData,
                "This download has no bytes with which another download could continue.")
            problem.members["state"] = .string(download.state.rawValue)
            throw problem
        }
        let app = try await sessions.appName(call)
        let sealed = sealer.secrets.seal(data.plain, for: ResumeData.associatedData(ofApp: app))
        return .json([
            "resume_data": .string(ResumeData.text(of: sealed)),
            "expires_at": .string(data.expiresAt.rfc3339),
        ])
    }
}

extension DownloadBuilder {
    /// A document with the members of its `resume_data` beneath it.
    ///
    /// - Returns: the document, and where the bytes end; the document as it is without resume data.
    /// - Throws: `validation-failed` for what cannot be opened here, or is over.
    func opened(
        _ document: LayeredObject, _ call: Call
    ) async throws(Problem) -> (LayeredObject, ResumePoint?) {
        guard document.has("resume_data") else { return (document, nil) }
        var fields = FieldReader(document)
        guard let text = fields.string("resume_data", maximumLength: ResumeData.bytesAtMost)
        else { return (document, nil) }
        let pointer = document.pointer("resume_data")
        guard fields.value("url") == nil else {
            throw .invalid(
                document.pointer("url"),
                "cannot be given together with resume_data, which has the URL")
        }
        let app = try await sessions.appName(call)
        let data = ResumeData.sealed(in: text)
            .flatMap { sealer.secrets.open($0, for: ResumeData.associatedData(ofApp: app)) }
            .flatMap(ResumeData.init(plain:))
        guard let data else {
            throw .invalid(
                pointer,
                "cannot be opened: it is damaged, or it was made for another app or with an "
                    + "encryption key that this service does not have")
        }
        if data.isEphemeral {
            let name = fields.string("session", maximumLength: 128) ?? "default"
            let session = try await sessions.find(name, in: document, for: call)
            guard session.configuration.kind == .ephemeral else {
                throw .invalid(
                    pointer,
                    "was made by a download in an ephemeral session; create this download in an "
                        + "ephemeral session, too")
            }
        }
        guard data.expiresAt > call.now else {
            throw .invalid(pointer, "expired at \(data.expiresAt.rfc3339)")
        }
        return (document.over(LayeredObject.Layer(data.members, at: pointer)), data.point)
    }
}
