// The secrets of downloads' requests: sealed when they come in, decrypted only to be changed.
internal import Base
internal import Crypto
internal import Downloads
internal import HTTPWire
internal import Store

/// Seals header values, bodies and credentials, and decrypts them to be changed.
struct RequestSealer: Sendable {
    /// The keys.
    let secrets: SecretBox
    /// The rules for proxies.
    let targets: TargetRules
    /// The downloads that requests belong to.
    let reader: DownloadReader

    /// The changed request of a download.
    struct Changed: Sendable {
        /// The request with its secrets sealed.
        let request: SealedRequest
        /// The URL whose origin the secrets are for.
        let url: String
        /// The members whose secrets were dropped.
        let dropped: [String]
    }

    /// Seals the secrets of a request for its download, and for the origin of the URL that they
    /// were given with.
    func sealed(
        _ members: RequestMembers, to url: String, for id: Identifier, app: Int64
    ) -> SealedRequest {
        let shape = members.shape
        guard shape.hasSecrets else { return SealedRequest(shape: shape, sealed: nil) }
        let associatedData = RequestSecrets.associatedData(of: id, app: app)
        return SealedRequest(
            shape: shape,
            sealed: secrets.seal(BoundSecrets(members.secrets, for: url).plain, for: associatedData)
        )
    }

    /// The request of a download after a patch; nil if it is unchanged.
    ///
    /// - Parameters:
    ///   - old: the download as it is.
    ///   - new: the download with the other changes.
    ///   - patch: the patch.
    ///   - call: the request that it came with.
    /// - Returns: the changed request; nil where the patch leaves it as it is.
    /// - Throws: `validation-failed` for what cannot be sent, or what cannot be opened and is not
    ///   given again.
    func changed(
        _ old: Download, to new: Download, by patch: DownloadPatch, _ call: Call
    ) async throws(Problem) -> Changed? {
        guard let change = patch.change(of: old, to: new) else { return nil }
        let opened = try await opened(old, call)
        return try request(change(opened), to: new.url, of: old, call)
    }

    /// The secrets of a download; nil if they were erased or cannot be read.
    func opened(_ old: Download, _ call: Call) async throws(Problem) -> BoundSecrets? {
        guard old.spec.request.hasSecrets else {
            return BoundSecrets(RequestSecrets(), for: old.url)
        }
        let sealed = try await call.stored { () throws(StoreError) in
            try await reader.downloads.secrets(of: old.id)
        }
        let associatedData = RequestSecrets.associatedData(of: old.id, app: call.app)
        return sealed.flatMap { secrets.open($0, for: associatedData) }
            .flatMap { BoundSecrets(plain: $0, of: old.url) }
    }

    /// The request of an ended download, as `POST …/retry` gives it again.
    ///
    /// - Returns: nil without a body, which is possible only if no secret was erased.
    /// - Throws: `validation-failed`.
    func retried(
        of id: Identifier, _ call: Call
    ) async throws(Problem) -> Changed? {
        guard !call.request.body.isEmpty else { return nil }
        guard let object = try call.document().objectValue else {
            throw .invalid("#", "must be an object; or send no body")
        }
        guard !object.isEmpty else { return nil }
        var fields = FieldReader(object)
        for name in RequestMembers.changeable { _ = fields.value(name) }
        if let hook = fields.value("begin_hook")?.objectValue {
            var part = FieldReader(hook, at: fields.pointer("begin_hook"))
            for name in ReceiverRequest.members { _ = part.value(name) }
            fields.adopt(part.finish())
        }
        if let receiver = fields.value("destination")?.objectValue {
            var part = FieldReader(receiver, at: fields.pointer("destination"))
            for name in ReceiverRequest.members { _ = part.value(name) }
            if let hook = part.value("hook")?.objectValue {
                var inner = FieldReader(hook, at: part.pointer("hook"))
                for name in ReceiverRequest.members { _ = inner.value(name) }
                part.adopt(inner.finish())
            }
            fields.adopt(part.finish())
        }
        let unknown = fields.finish()
        guard unknown.isEmpty else { throw .invalid(unknown) }
        let old = try await reader.find(id, call).download
        let isLost = old.result.content?.isGone == true
        guard old.state == .failed || old.state == .canceled || isLost else {
            throw .impossible(
                "retried with another request (before it has ended, use PATCH)",
                in: old.state, of: id)
        }
        let opened = try await opened(old, call)
        return try await call.quoting { () throws(Problem) in
            try request(
                RequestMembers.changed(by: object, of: old, secrets: opened, to: old),
                to: old.url, of: old, call)
        }
    }

    private func request(
        _ change: Result<ChangedRequest, FieldErrors>, to url: String, of old: Download,
        _ call: Call
    ) throws(Problem) -> Changed {
        switch change {
        case .failure(let errors): throw .invalid(errors)
        case .success(let change):
            try targets.checkProxy(change.members.proxyURL)
            var request = sealed(change.members, to: url, for: old.id, app: call.app)
            request.shape.usesSession = old.spec.request.usesSession
            return Changed(request: request, url: url, dropped: change.dropped)
        }
    }

    /// The stored key of a shared transfer, a digest that reveals nothing about the request.
    func flight(_ bytes: [UInt8]) -> Identifier? {
        Identifier(hexadecimal: String(secrets.fingerprint(bytes).prefix(32)))
    }

    /// Seals the secrets of a session.
    ///
    /// Its configuration gets their names, and a fingerprint that changes with them.
    func seal(
        _ configuration: inout SessionConfiguration, of identifier: String, app: Int64
    ) -> [UInt8]? {
        guard let own = configuration.secrets else { return nil }
        let reach = SecretReach(configuration.secretOrigins)
        let plain = BoundSessionSecrets(own, for: reach).plain
        let associatedData = SessionSecrets.associatedData(app: app, session: identifier)
        configuration.shape = SessionShape(
            own, fingerprint: secrets.fingerprint(associatedData + plain))
        return secrets.seal(plain, for: associatedData)
    }
}

extension Problem {
    /// The refusal because the secrets of a download were erased at its end.
    static func secretsErased(_ shape: RequestShape) -> Problem {
        let names = shape.secretMembers
        var problem = Problem(
            .secretsErased,
            "The secrets of this download's request were erased when it ended. Send "
                + "\(names.joined(separator: ", ")) again in the body of this request, or null to "
                + "retry without.")
        problem.findings = FieldErrors(
            names.map {
                FieldError("#/\($0)", "was erased when the download ended; send it again")
            })
        return problem
    }
}
