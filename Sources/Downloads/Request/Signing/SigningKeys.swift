/// Keys with which each request to an origin is signed, by AWS Signature Version 4.
package struct SigningKeys: Equatable, Sendable {
    /// The public name of the pair.
    package let accessKey: String
    /// The secret of the pair, which is never sent.
    package let secretKey: String
    /// The token of temporary keys; nil for lasting ones.
    package let sessionToken: String?
    /// The region, such as `eu-central-1`.
    package let region: String
    /// The service, such as `s3`.
    package let service: String

    /// Creates keys with all their members.
    package init(
        accessKey: String, secretKey: String, sessionToken: String?, region: String,
        service: String
    ) {
        (self.accessKey, self.secretKey) = (accessKey, secretKey)
        (self.sessionToken, self.region, self.service) = (sessionToken, region, service)
    }
}
