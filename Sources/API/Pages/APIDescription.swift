// The text of openapi.yaml, compiled in.
internal import Embedded

/// The description of the API in OpenAPI 3.1.
package enum APIDescription {
    /// The bytes of openapi.yaml.
    package static let bytes: [UInt8] = EmbeddedFiles.bytes("openapi.yaml")
}
