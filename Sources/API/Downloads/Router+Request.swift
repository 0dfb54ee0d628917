// What a download is asked for with: sealed on the way in, opened only to be changed.
internal import Core
internal import Crypto
internal import HTTPWire
internal import Store

extension Router {
    /// Seals the secrets of a request for the download that they belong to.
    func sealed(_ members: RequestMembers, for id: Identifier) -> SealedRequest {
        let shape = members.shape
        guard shape.hasSecrets else { return SealedRequest(shape: shape, sealed: nil) }
        let place = RequestSecrets.place(of: id, app: dependencies.settings.app)
        return SealedRequest(
            shape: shape, sealed: dependencies.secrets.seal(members.secrets.plain, for: place))
    }

    /// Judges the proxy that a client named.
    ///
    /// - Throws: `proxy-not-allowed`, `validation-failed` or `destination-not-allowed`.
    func checkProxy(
        _ members: RequestMembers, at place: LayeredObject = .document
    ) throws(Problem) {
        guard let text = members.proxyURL else { return }
        let pointer = place.pointer("proxy") + "/url"
        guard let destinations = dependencies.settings.proxyDestinations else {
            throw Problem(
                .proxyNotAllowed,
                "This service uses no proxies; its operator allows them with "
                    + "LULL_PROXY_DESTINATIONS. Leave proxy out, or send {\"mode\": \"none\"}.",
                at: pointer)
        }
        let url = try TargetRule(
            destinations: destinations, setting: "LULL_PROXY_DESTINATIONS", pointer: pointer
        ).check(text)
        guard url.target == "/" else {
            throw .invalid(pointer, "must be http://host:port without a path")
        }
    }

    /// What a patch makes of the request of a download.
    ///
    /// - Returns: the changed request, sealed.
    /// - Throws: `validation-failed` for what cannot be sent, or what was lost and is not given.
    func changedRequest(
        of old: Download, by patch: DownloadPatch, _ call: Call
    ) async throws(Problem) -> SealedRequest {
        let shape = old.spec.request
        var secrets: RequestSecrets? = RequestSecrets()
        if shape.hasSecrets {
            let sealed = try await stored(call) { () throws(StoreError) in
                try await dependencies.store.downloads.secrets(of: old.id)
            }
            let place = RequestSecrets.place(of: old.id, app: dependencies.settings.app)
            secrets = sealed.flatMap { dependencies.secrets.open($0, for: place) }
                .flatMap(RequestSecrets.init(plain:))
        }
        return try request(
            patch.request(shape: shape, secrets: secrets), of: old)
    }

    /// What `POST …/retry` says about the request of a download that has ended.
    ///
    /// - Returns: nil without a body: then nothing may have been erased.
    /// - Throws: `validation-failed`.
    func retriedRequest(
        of id: Identifier, _ call: Call
    ) async throws(Problem) -> SealedRequest? {
        guard !call.request.body.isEmpty else { return nil }
        guard let object = try call.document().objectValue else {
            throw .invalid("#", "must be an object, or send no body")
        }
        guard !object.isEmpty else { return nil }
        var reader = FieldReader(object)
        for name in RequestMembers.changeable { _ = reader.value(name) }
        let unknown = reader.finish()
        guard unknown.isEmpty else { throw .invalid(unknown) }
        let old = try await download(id, call).download
        guard old.state == .failed || old.state == .canceled else {
            throw Router.impossible(
                "be asked for in another way by a retry (PATCH changes what has not ended)",
                old.state)
        }
        return try request(
            RequestMembers.changed(
                by: object, shape: old.spec.request,
                secrets: old.spec.request.hasSecrets ? nil : RequestSecrets()),
            of: old)
    }

    private func request(
        _ changed: Result<RequestMembers, FieldErrors>, of old: Download
    ) throws(Problem) -> SealedRequest {
        switch changed {
        case .failure(let errors): throw .invalid(errors)
        case .success(let members):
            try checkProxy(members)
            var request = sealed(members, for: old.id)
            request.shape.usesSession = old.spec.request.usesSession
            return request
        }
    }

    /// Its secrets are gone with its end.
    static func secretsErased(_ shape: RequestShape) -> Problem {
        let names = shape.secretMembers
        var problem = Problem(
            .secretsErased,
            "What this download was asked for with was erased when it ended; send "
                + "\(names.joined(separator: ", ")) again in the body of this request, or null to "
                + "go without.")
        problem.findings = FieldErrors(
            names.map { FieldError("#/\($0)", "was erased at the end; send it again") })
        return problem
    }

    /// Seals the secrets of a session, and notes in its configuration what may be seen of them.
    func seal(_ configuration: inout SessionConfiguration, of identifier: String) -> [UInt8]? {
        guard let secrets = configuration.secrets else { return nil }
        let plain = secrets.plain
        let place = SessionSecrets.place(app: dependencies.settings.app, session: identifier)
        configuration.shape = SessionShape(
            secrets, fingerprint: dependencies.secrets.fingerprint(place + plain))
        return dependencies.secrets.seal(plain, for: place)
    }

    /// The members of a session that tell of its secrets.
    static func secretMembers(_ shape: SessionShape?) -> [(String, JSON)] {
        let tls = shape?.tlsNames ?? []
        return [
            ("http_additional_headers", RequestShape.redacted(shape?.headerNames ?? [])),
            ("tls", tls.isEmpty ? .null : RequestShape.redacted(tls)),
        ]
    }
}
