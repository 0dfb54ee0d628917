// The headers and credentials for the receiver of a download's own begin hook.
package import Base

extension BeginHook {
    /// The members of `begin_hook` for its receiver.
    private static func given(_ hook: JSON?) -> JSONObject {
        var given = JSONObject()
        for name in ReceiverRequest.members { given[name] = hook?[name] }
        return given
    }

    /// Reads the members of a new download for the receiver of its hook into its secrets.
    static func read(
        _ hook: BeginHook?, into members: inout RequestMembers, _ reader: inout FieldReader
    ) {
        let given = given(reader.value("begin_hook"))
        guard !given.isEmpty, let url = hook?.url else { return }
        switch ReceiverRequest.changed(
            by: given, shape: RequestShape(), secrets: BoundSecrets(RequestSecrets(), for: url),
            from: nil, to: url)
        {
        case .success(let changed): members.secrets.hook = changed.secrets
        case .failure(let errors):
            let place = reader.pointer("begin_hook")
            reader.adopt(
                FieldErrors(
                    errors.map { FieldError(place + $0.pointer.dropFirst(), $0.detail) }))
        }
    }

    /// Whether a document changes secrets of a download's hook.
    static func changesSecrets(_ document: JSONObject, of old: Download) -> Bool {
        guard let hook = document["begin_hook"] else { return false }
        return old.spec.request.hasHookSecrets || !given(hook).isEmpty
    }

    /// The secrets for a download's hook after a change document was applied.
    ///
    /// - Parameters:
    ///   - document: a patch, or what a retry gives again.
    ///   - old: the download as it is.
    ///   - secrets: its values until now; nil where they cannot be read.
    ///   - new: its hook from now on.
    /// - Returns: the request, or every finding.
    static func changedSecrets(
        by document: JSONObject, of old: Download, secrets: BoundSecrets?, to new: BeginHook?
    ) -> Result<ReceiverRequest.Changed, FieldErrors> {
        // Without a hook of its own it may have that of its session, for which nothing was given.
        let url = document["begin_hook"]?.isNull == true ? nil : new?.url
        let before = old.spec.beginHook?.url ?? url
        let none = before.map { BoundSecrets(RequestSecrets(), for: $0) }
        return ReceiverRequest.changed(
            by: given(document["begin_hook"]), shape: old.spec.request.hook,
            secrets: secrets.flatMap { $0.hook ?? none }, from: before, to: url
        ).map { change in
            ReceiverRequest.Changed(
                secrets: change.secrets, dropped: change.dropped.map(RequestShape.hookMember))
        }.mapError { errors in
            FieldErrors(
                errors.map {
                    FieldError(
                        "#/" + RequestShape.hookMember(String($0.pointer.dropFirst(2))),
                        $0.detail)
                })
        }
    }
}

extension RequestMembers {
    /// The request of a download after a change document was applied, with requests to receivers
    /// of its hook and of its file.
    ///
    /// - Parameters:
    ///   - document: see `changed(by:shape:secrets:from:to:)`; members of `begin_hook` and of
    ///     `destination` as well.
    ///   - old: the download as it is.
    ///   - secrets: its values until now; nil where they cannot be read or were erased.
    ///   - new: the download as it becomes.
    /// - Returns: the request, or every finding.
    package static func changed(
        by document: JSONObject, of old: Download, secrets: BoundSecrets?, to new: Download
    ) -> Result<ChangedRequest, FieldErrors> {
        let own = changed(
            by: document, shape: old.spec.request, secrets: secrets, from: old.url, to: new.url)
        let hook = BeginHook.changedSecrets(
            by: document, of: old, secrets: secrets, to: new.spec.beginHook)
        let relay = Relay.changedSecrets(
            by: document, of: old, secrets: secrets, to: new.spec.relay)
        if case .success(let own) = own, case .success(let hook) = hook,
            case .success(let relay) = relay
        {
            var members = own.members
            (members.secrets.hook, members.secrets.relay) = (hook.secrets, relay.secrets)
            return .success(
                ChangedRequest(
                    members: members, dropped: own.dropped + hook.dropped + relay.dropped))
        }
        var errors = FieldErrors()
        if case .failure(let own) = own { errors.append(contentsOf: own) }
        for case .failure(let others) in [hook, relay] { errors.append(contentsOf: others) }
        return .failure(errors)
    }
}
