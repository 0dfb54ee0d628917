// The secrets that sign the webhooks of each app and endpoint.
package import Crypto
package import Downloads
internal import Store

/// Decrypts the secrets of deliveries, and creates one for an app without a secret.
package struct SigningSecrets: Sendable {
    private let box: SecretBox
    private let inherited: EndpointSecret?

    /// Takes the keys, and the shared secret of apps without one of their own.
    package init(box: SecretBox, inherited: EndpointSecret?) {
        self.box = box
        self.inherited = inherited
    }

    /// The headers and credentials for the receiver of a delivery; nil for none.
    ///
    /// - Returns: nil if no key of this replica opens them.
    func request(to delivery: DueDelivery) -> OutgoingSecrets? {
        let none = BoundSecrets(RequestSecrets(), for: delivery.url)
        guard let sealed = delivery.sealed else { return none.outgoing }
        if let endpoint = delivery.endpoint {
            return box.open(
                sealed, for: ReceiverRequest.associatedData(of: endpoint, app: delivery.app)
            )
            .flatMap { BoundSecrets(plain: $0, of: delivery.url) }?.outgoing
        }
        if let download = delivery.hookOf {
            return box.open(
                sealed, for: RequestSecrets.associatedData(of: download, app: delivery.app)
            )
            .flatMap { BoundSecrets(plain: $0, of: "") }
            .map { ((delivery.type == .willSend ? $0.relay?.hook : $0.hook) ?? none).outgoing }
        }
        guard let session = delivery.session else { return none.outgoing }
        return box.open(
            sealed, for: SessionSecrets.associatedData(app: delivery.app, session: session)
        )
        .flatMap { BoundSessionSecrets(plain: $0) }
        .map { secrets in
            let own =
                switch delivery.type {
                case .willBegin: secrets.hook
                case .willSend: secrets.relay?.hook
                default: secrets.webhook
                }
            return (own ?? none).outgoing
        }
    }

    /// The signer of a delivery.
    ///
    /// - Returns: nil if no key of this replica opens the secret.
    /// - Throws: what the store answered when a secret was to be kept.
    func signer(
        for delivery: DueDelivery, in endpoints: Endpoints
    ) async throws(StoreError) -> WebhookSigner? {
        let associatedData = EndpointSecret.associatedData(of: delivery.endpoint, app: delivery.app)
        var sealed = (delivery.secret.map { [$0] } ?? []) + delivery.replacedSecrets
        if delivery.secret == nil, delivery.endpoint == nil {
            if let inherited { return WebhookSigner([inherited]) }
            let key = SecureRandom.bytes(EndpointSecret.madeBytes)
            sealed = [
                try await endpoints.keepSecret(
                    box.seal(key, for: associatedData), app: delivery.app)
            ]
        }
        let keys = sealed.compactMap { box.open($0, for: associatedData) }
        guard keys.count == sealed.count, !keys.isEmpty else { return nil }
        return WebhookSigner(keys.map { EndpointSecret(key: $0) })
    }
}
