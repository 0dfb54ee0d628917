// The receivers of webhooks that a session names, and the headers and credentials for them.
package import Base

/// A receiver of a session.
package enum SessionReceiver: CaseIterable, Sendable {
    /// The receiver of `webhook_url`.
    case webhook
    /// The receiver of `begin_hook`.
    case hook

    /// The request to a receiver after a change.
    package struct Changed: Sendable {
        /// Its secrets; nil for none.
        package var secrets: BoundSecrets?
        /// The members that were dropped, because they were given for another origin.
        package var dropped: [String] = []
    }

    /// The secret members of a session document that are read here.
    package static let members = ["webhook_headers", "webhook_authorization"]

    /// The member of the session for one of `ReceiverRequest.members`.
    private func member(_ name: String) -> String {
        switch self {
        case .webhook: "webhook_" + name
        case .hook: "begin_hook/" + name
        }
    }

    private func url(in configuration: SessionConfiguration) -> String? {
        switch self {
        case .webhook: configuration.webhookURL
        case .hook: configuration.beginHook?.url
        }
    }

    private func shape(in configuration: SessionConfiguration?) -> RequestShape? {
        switch self {
        case .webhook: configuration?.shape?.webhook
        case .hook: configuration?.shape?.hook
        }
    }

    /// The members of a document as those of `ReceiverRequest`.
    private func given(in document: JSONObject) -> JSONObject {
        var given = JSONObject()
        for name in ReceiverRequest.members {
            switch self {
            case .webhook: given[name] = document[member(name)]
            case .hook: given[name] = document["begin_hook"]?[name]
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
    ) -> Result<Changed, FieldErrors> {
        let given = given(in: document)
        let shape = shape(in: old) ?? RequestShape()
        guard let url = url(in: new) else {
            var reader = FieldReader(JSONObject())
            for (name, value) in given.members where !value.isNull {
                reader.refuse(member(name), "needs a receiver: give webhook_url as well")
            }
            guard reader.errors.isEmpty else { return .failure(reader.errors) }
            return .success(Changed(dropped: shape.secretMembers.map(member)))
        }
        let before = old.flatMap { self.url(in: $0) } ?? url
        if given.isEmpty, !shape.hasSecrets || SecretOrigin.isOne(before, url) {
            return .success(Changed(secrets: shape.hasSecrets ? secrets : nil))
        }
        let known = secrets ?? BoundSecrets(RequestSecrets(), for: before)
        return ReceiverRequest.changed(
            by: given, shape: shape, secrets: known, from: before, to: url
        ).map { change in
            let bound = BoundSecrets(change.members.secrets, for: url)
            return Changed(
                secrets: bound.shape.hasSecrets ? bound : nil,
                dropped: change.dropped.map(member))
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
        get { receiver == .webhook ? webhook : hook }
        set {
            switch receiver {
            case .webhook: webhook = newValue
            case .hook: hook = newValue
            }
        }
    }
}
