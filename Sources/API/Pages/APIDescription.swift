// The text of openapi.yaml, compiled in.

/// The description of the API in OpenAPI 3.1.
package enum APIDescription {
    /// The bytes of openapi.yaml.
    package static let bytes: [UInt8] = PackageResources.openapi_yaml
}
