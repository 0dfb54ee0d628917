// A bucket of an object store, as the operator names it in LULL_DESTINATIONS.
package import Base

/// A prefix in a bucket of an object store that speaks Amazon S3's protocol.
package struct StoreLocation: Sendable, Equatable {
    /// The ways in which a URL names a bucket.
    package enum Addressing: String, Sendable, CaseIterable {
        /// As the first component of the path.
        case path
        /// As the first label of the host name.
        case virtual
    }

    /// The checksums that a store keeps with an object.
    package enum Checksum: String, Sendable, CaseIterable {
        /// SHA-256; of an object in parts the store has one for each part.
        case sha256
        /// CRC-64/NVME, of the whole object also when it came in parts.
        case crc64nvme
        /// None, for stores that answer requests with checksums by 501.
        case none
    }

    /// The bucket.
    package var bucket: String
    /// The beginning of all keys, without a slash at either end; empty for none.
    package var prefix: String
    /// The root of the store's API.
    package var endpoint: SourceURL
    /// The root under which clients reach the store; nil where that is `endpoint`.
    package var publicEndpoint: SourceURL?
    /// The region in signatures.
    package var region = "us-east-1"
    /// The way in which URLs name the bucket.
    package var addressing = Addressing.path
    /// The checksum of new objects.
    package var checksum = Checksum.sha256
    /// The section of the credentials file.
    package var profile = "default"
    /// The file with credentials, in the form of `~/.aws/credentials`; nil for the environment's.
    package var credentialsFile: String?

    /// Creates a location with the defaults of its other members.
    package init(bucket: String, prefix: String, endpoint: SourceURL) {
        self.bucket = bucket
        self.prefix = prefix
        self.endpoint = endpoint
    }

    /// The most bytes of a key.
    package static let keyBytesAtMost = 1024

    /// Whether the key of the object at a path is short enough.
    package func takes(_ path: String) -> Bool {
        key(for: path).utf8.count <= StoreLocation.keyBytesAtMost
    }

    /// The key of the object at a path.
    package func key(for path: String) -> String { prefix.isEmpty ? path : prefix + "/" + path }
}
