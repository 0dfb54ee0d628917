// Headers and credentials that webhooks carry beside their signature.
package import Base

/// The request to a receiver of webhooks: `headers` and `authorization`, given for its origin.
package enum ReceiverRequest {
    /// The names of the members.
    package static let members = ["headers", "authorization"]
    /// The most fields of one receiver of webhooks.
    package static let headersAtMost = 16

    /// The demands on the headers for one kind of receiver.
    struct Rules: Sendable {
        /// The most fields.
        let headersAtMost: Int
        /// Whether a field, named in lower case, is set by this service.
        let isOwn: @Sendable (String) -> Bool

        /// The rules for receivers of webhooks.
        static let webhook = Rules(headersAtMost: ReceiverRequest.headersAtMost) { name in
            ["content-type", "traceparent", "user-agent"].contains(name)
                || name.hasPrefix("webhook-") || name.hasPrefix("ce-")
        }
    }

    /// The request to a receiver after a change.
    package struct Changed: Sendable {
        /// Its secrets; nil for none.
        package var secrets: BoundSecrets?
        /// The members that were dropped, because they were given for another origin.
        package var dropped: [String] = []
    }

    /// The request to a receiver that a download or session names, after a change document was
    /// applied.
    ///
    /// - Parameters:
    ///   - given: the members above that the document gives for this receiver.
    ///   - shape: what is shown of the request as it is.
    ///   - secrets: its values; nil where they cannot be read, and then all of them must be given.
    ///   - old: the receiver's URL until now; nil where it is a new one.
    ///   - url: its URL from now on; nil for no receiver.
    ///   - rules: the demands on its headers.
    /// - Returns: the request, or every finding.
    static func changed(
        by given: JSONObject, shape: RequestShape, secrets: BoundSecrets?, from old: String?,
        to url: String?, rules: Rules = .webhook
    ) -> Result<Changed, FieldErrors> {
        guard let url else {
            var reader = FieldReader(JSONObject())
            for (name, value) in given.members where !value.isNull {
                reader.refuse(name, "needs a receiver: give its URL as well")
            }
            guard reader.errors.isEmpty else { return .failure(reader.errors) }
            return .success(Changed(dropped: shape.ownSecretMembers))
        }
        let before = old ?? url
        if given.isEmpty, !shape.hasSecrets { return .success(Changed()) }
        if given.isEmpty, let secrets, SecretOrigin.isOne(before, url) {
            return .success(Changed(secrets: secrets))
        }
        return changed(
            by: given, shape: shape, secrets: secrets, from: before, to: url, under: rules
        ).map {
            let bound = BoundSecrets($0.members.secrets, for: url)
            return Changed(secrets: bound.shape.hasSecrets ? bound : nil, dropped: $0.dropped)
        }
    }

    /// The request after a change document was applied; see `RequestMembers.changed`.
    ///
    /// - Parameters:
    ///   - document: the members above; others do not count.
    ///   - shape: what is shown of the request as it is.
    ///   - secrets: its values; nil where they cannot be read.
    ///   - old: the receiver's URL until now.
    ///   - url: its URL from now on.
    /// - Returns: the request, or every finding.
    package static func changed(
        by document: JSONObject, shape: RequestShape, secrets: BoundSecrets?, from old: String,
        to url: String
    ) -> Result<ChangedRequest, FieldErrors> {
        changed(
            by: document, shape: shape, secrets: secrets, from: old, to: url, under: .webhook)
    }

    private static func changed(
        by document: JSONObject, shape: RequestShape, secrets: BoundSecrets?, from old: String,
        to url: String, under rules: Rules
    ) -> Result<ChangedRequest, FieldErrors> {
        var own = JSONObject()
        for name in members { own[name] = document[name] }
        return RequestMembers.changed(by: own, shape: shape, secrets: secrets, from: old, to: url)
            .flatMap { change in
                let errors = findings(in: change.members.secrets, under: rules)
                return errors.isEmpty ? .success(change) : .failure(errors)
            }
    }

    private static func findings(
        in secrets: RequestSecrets, under rules: Rules
    ) -> FieldErrors {
        var reader = FieldReader(JSONObject())
        let count = secrets.headers.count
        if count > rules.headersAtMost {
            reader.refuse(
                "headers",
                "must be at most \(rules.headersAtMost) fields, but would be \(count)")
        }
        for name in secrets.headers.map(\.name) where rules.isOwn(name.lowercased()) {
            reader.refuse("headers", "must not have \(name), which this service sets itself")
        }
        switch secrets.authorization {
        case .digest, .signature:
            reader.refuse("authorization", "must be \"basic\" or \"bearer\" for a receiver")
        case .basic, .bearer, nil: break
        }
        return reader.errors
    }

    /// The associated data that binds the sealed values to their endpoint.
    package static func associatedData(of endpoint: Identifier, app: Int64) -> [UInt8] {
        Array("webhook_endpoints.sealed/\(app)/\(endpoint.hexadecimal)".utf8)
    }
}

extension BoundSecrets {
    /// Headers and credentials alone, as a request to a receiver carries them.
    package var outgoing: OutgoingSecrets {
        OutgoingSecrets(self, BoundSessionSecrets(SessionSecrets(), for: SecretReach(nil)))
    }
}
