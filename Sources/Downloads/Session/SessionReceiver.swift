// The receivers of webhooks that a session names, and the headers and credentials for them.
package import Base

/// A receiver of a session.
package enum SessionReceiver: CaseIterable, Sendable {
    /// The receiver of `webhook_url`.
    case webhook
    /// The receiver of `begin_hook`.
    case hook
    /// The receiver of finished files, with its hook.
    case relay

    /// The secret members of a session document that are read here.
    package static let members = ["webhook_headers", "webhook_authorization"]

    /// The member of the session for one of `ReceiverRequest.members`.
    private func member(_ name: String) -> String {
        switch self {
        case .webhook: "webhook_" + name
        case .hook: RequestShape.hookMember(name)
        case .relay: Relay.member(name)
        }
    }

    private func url(in configuration: SessionConfiguration) -> String? {
        switch self {
        case .webhook: configuration.webhookURL
        case .hook: configuration.beginHook?.url
        case .relay: configuration.relay?.url
        }
    }

    private func shape(in configuration: SessionConfiguration?) -> RequestShape? {
        switch self {
        case .webhook: configuration?.shape?.webhook
        case .hook: configuration?.shape?.hook
        case .relay: configuration?.shape?.relay
        }
    }

    /// The members of a document as those of `ReceiverRequest`.
    private func given(in document: JSONObject) -> JSONObject {
        var given = JSONObject()
        for name in ReceiverRequest.members {
            switch self {
            case .webhook: given[name] = document[member(name)]
            case .hook: given[name] = document["begin_hook"]?[name]
            case .relay: given[name] = document["destination"]?[name]
            }
        }
        return given
    }

    /// The request to the receiver after a change document was applied.
    ///
    /// - Parameters:
    ///   - document: a whole session, or a patch.
    ///   - old: the session as it is; nil where the document is a whole one.
    ///   - secrets: its values until now.
    ///   - new: the session as it becomes.
    /// - Returns: the request, or every finding.
    package func changed(
        by document: JSONObject, old: SessionConfiguration?, secrets: BoundSecrets?,
        to new: SessionConfiguration
    ) -> Result<ReceiverRequest.Changed, FieldErrors> {
        let url = url(in: new)
        let before = old.flatMap { self.url(in: $0) } ?? url
        let none = before.map { BoundSecrets(RequestSecrets(), for: $0) }
        if self == .relay {
            return Relay.changed(
                by: document["destination"], shape: shape(in: old) ?? RequestShape(),
                secrets: secrets ?? none, from: old?.relay, to: new.relay)
        }
        return ReceiverRequest.changed(
            by: given(in: document), shape: shape(in: old) ?? RequestShape(),
            secrets: secrets ?? none, from: before, to: url
        ).map { change in
            var change = change
            change.dropped = change.dropped.map(member)
            return change
        }.mapError { errors in
            var moved = FieldErrors()
            for error in errors {
                moved.append(
                    FieldError("#/" + member(String(error.pointer.dropFirst(2))), error.detail))
            }
            return moved
        }
    }
}

extension SessionSecrets {
    /// The secrets for one of its receivers.
    package subscript(_ receiver: SessionReceiver) -> BoundSecrets? {
        get {
            switch receiver {
            case .webhook: webhook
            case .hook: hook
            case .relay: relay
            }
        }
        set {
            switch receiver {
            case .webhook: webhook = newValue
            case .hook: hook = newValue
            case .relay: relay = newValue
            }
        }
    }
}

extension BoundSessionSecrets {
    /// The secrets for one of its receivers.
    package subscript(_ receiver: SessionReceiver) -> BoundSecrets? {
        switch receiver {
        case .webhook: webhook
        case .hook: hook
        case .relay: relay
        }
    }
}
