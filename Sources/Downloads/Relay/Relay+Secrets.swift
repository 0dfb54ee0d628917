// The headers and credentials for the receiver of a finished file, and those for its hook.
internal import Base

extension ReceiverRequest.Rules {
    /// The rules for the receiver of a finished file: this service sets the fields that describe
    /// the bytes.
    static let relay = ReceiverRequest.Rules(headersAtMost: 32) { name in
        [
            "content-digest", "content-encoding", "content-range", "digest", "repr-digest",
        ].contains(name)
    }

    /// The rules for a receiver that speaks tus, whose requests have fields of the protocol.
    static let tus = ReceiverRequest.Rules(headersAtMost: 32) { name in
        relay.isOwn(name)
            || [
                "content-disposition", "content-type", "tus-resumable", "upload-checksum",
                "upload-concat", "upload-defer-length", "upload-length", "upload-offset",
            ].contains(name)
    }
}

extension Relay {
    private var rules: ReceiverRequest.Rules { speaks == .tus ? .tus : .relay }

    /// The headers and credentials of a request to the receiver, without fields that the service
    /// sets itself.
    ///
    /// They may have such a field if they were given for another protocol.
    package func outgoing(_ secrets: BoundSecrets) -> OutgoingSecrets {
        secrets.without(rules.isOwn).outgoing
    }

    /// The path of a member of `destination`, as clients name it in a download or session.
    static func member(_ name: String) -> String { "destination/" + name }

    /// The pointer of a finding of `changed` in the body of a download or session.
    private static func located(_ error: FieldError, _ prefix: String) -> FieldError {
        FieldError("#/" + prefix + error.pointer.dropFirst(2), error.detail)
    }

    private static func given(_ receiver: JSON?) -> JSONObject {
        var given = JSONObject()
        for name in ReceiverRequest.members { given[name] = receiver?[name] }
        return given
    }

    /// Whether a `destination` that a document gives has members with secrets.
    static func givesSecrets(_ destination: JSON?) -> Bool {
        !given(destination).isEmpty || !given(destination?["hook"]).isEmpty
    }

    /// The request to the receiver, and within it that to its hook, after a change document was
    /// applied.
    ///
    /// - Parameters:
    ///   - destination: the member of the document; nil where the document has none.
    ///   - shape: what is shown of the request as it is.
    ///   - secrets: its values; nil where they cannot be read, and then all of them must be given.
    ///   - old: the receiver until now; nil for none.
    ///   - new: the receiver from now on; nil for none.
    /// - Returns: the request with the names of the dropped members, or every finding at its
    ///   pointer in a download or session.
    static func changed(
        by destination: JSON?, shape: RequestShape, secrets: BoundSecrets?, from old: Relay?,
        to new: Relay?
    ) -> Result<ReceiverRequest.Changed, FieldErrors> {
        var own = shape
        (own.hookHeaderNames, own.hookAuthorizationType) = ([], nil)
        let request = ReceiverRequest.changed(
            by: given(destination), shape: own, secrets: secrets, from: old?.url, to: new?.url,
            rules: new?.rules ?? .relay)
        // A hook has headers of its own only while there is a receiver.
        let before = old?.hook?.url ?? new?.hook?.url
        let none = before.map { BoundSecrets(RequestSecrets(), for: $0) }
        let hook = ReceiverRequest.changed(
            by: given(destination?["hook"]), shape: shape.hook,
            secrets: secrets.flatMap { $0.hook ?? none }, from: before, to: new?.hook?.url)
        switch (request, hook) {
        case (.success(let request), .success(let hook)):
            return .success(
                ReceiverRequest.Changed(
                    secrets: new.flatMap { joined(request.secrets, hook.secrets, for: $0.url) },
                    dropped: request.dropped.map(member)
                        + hook.dropped.map { member("hook/" + $0) }))
        default:
            var errors = FieldErrors()
            if case .failure(let own) = request {
                for error in own { errors.append(located(error, member(""))) }
            }
            if case .failure(let others) = hook {
                for error in others { errors.append(located(error, member("hook/"))) }
            }
            return .failure(errors)
        }
    }

    /// The secrets for a receiver, which contain the secrets for its hook; nil for none.
    private static func joined(
        _ own: BoundSecrets?, _ hook: BoundSecrets?, for url: String
    ) -> BoundSecrets? {
        var secrets = own?.kept(for: url) ?? RequestSecrets()
        (secrets.hook, secrets.relay) = (hook, nil)
        return secrets.isEmpty ? nil : BoundSecrets(secrets, for: url)
    }

    /// Reads the members of a new download for its receiver into its secrets.
    static func read(
        _ relay: Relay?, into members: inout RequestMembers, _ reader: inout FieldReader
    ) {
        let destination = reader.value("destination")
        guard let relay, givesSecrets(destination) else { return }
        let none = BoundSecrets(RequestSecrets(), for: relay.url)
        switch changed(
            by: destination, shape: RequestShape(), secrets: none, from: nil, to: relay)
        {
        case .success(let changed): members.secrets.relay = changed.secrets
        case .failure(let errors):
            let place = reader.pointer("destination")
            for error in errors {
                let rest = error.pointer.dropFirst("#/destination".utf8.count)
                reader.adopt([FieldError(place + rest, error.detail)])
            }
        }
    }
}
