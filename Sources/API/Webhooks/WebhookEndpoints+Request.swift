// Headers and credentials of an endpoint: sealed, and dropped if its origin changes.
internal import Base
internal import Crypto
internal import Downloads
internal import Store

extension WebhookEndpoints {
    /// The stored request of an endpoint.
    struct EndpointRequest: Sendable {
        /// The names that are shown.
        var shape = RequestShape()
        /// The sealed values; nil for none.
        var sealed: [UInt8]?
        /// The members that were dropped, because they were given for another origin.
        var dropped: [String] = []
    }

    /// The request of an endpoint after a change document was applied.
    ///
    /// - Parameters:
    ///   - old: the endpoint as it is; nil for a new one.
    ///   - id: its name.
    ///   - spec: what it becomes.
    ///   - document: the document or patch.
    ///   - call: the request that it came with.
    /// - Returns: the request as it is stored, and the members that are gone.
    /// - Throws: `validation-failed`.
    func request(
        of old: EndpointRecord?, named id: Identifier, to spec: EndpointSpec, by document: JSON,
        _ call: Call
    ) throws(Problem) -> EndpointRequest {
        let object = document.objectValue ?? JSONObject()
        let url = spec.url ?? ""
        let before = old?.spec.url ?? url
        let shape = old?.spec.request ?? RequestShape()
        let isNamed = ReceiverRequest.members.contains { object[$0] != nil }
        if !isNamed, SecretOrigin.isOne(before, url) || !shape.hasSecrets {
            return EndpointRequest(shape: shape, sealed: old?.sealed)
        }
        let associatedData = ReceiverRequest.associatedData(of: id, app: call.app)
        let opened =
            shape.hasSecrets
            ? old?.sealed.flatMap { secrets.open($0, for: associatedData) }
                .flatMap { BoundSecrets(plain: $0, of: before) }
            : BoundSecrets(RequestSecrets(), for: before)
        switch ReceiverRequest.changed(
            by: object, shape: shape, secrets: opened, from: before, to: url)
        {
        case .failure(let errors): throw .invalid(errors)
        case .success(let change):
            let shape = change.members.shape
            let plain = BoundSecrets(change.members.secrets, for: url).plain
            return EndpointRequest(
                shape: shape,
                sealed: shape.hasSecrets ? secrets.seal(plain, for: associatedData) : nil,
                dropped: change.dropped)
        }
    }
}
