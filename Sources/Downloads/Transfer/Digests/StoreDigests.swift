// Digests in the fields of object stores and repositories.
internal import Base

/// The digests of `X-Checksum-*` (Artifactory, Nexus), `x-goog-hash` (Cloud Storage) and
/// `x-amz-checksum-*` (S3).
package struct StoreDigests: Sendable {
    /// A field of an answer.
    package struct Field: Equatable, Sendable {
        /// The name in lower case.
        package let name: String
        /// The value as sent.
        package let value: String

        /// Creates a value with both members.
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Whether a field, named in lower case, carries such a digest.
    package static func has(_ name: String) -> Bool {
        name.hasPrefix("x-") && names.contains(name)
    }

    private static let hexadecimal: [String: DigestAlgorithm] = [
        "x-checksum-sha256": .sha256, "x-checksum-sha512": .sha512, "x-checksum-sha1": .sha1,
        "x-checksum-md5": .md5,
    ]
    private static let amazon: [String: DigestAlgorithm] = [
        "x-amz-checksum-sha256": .sha256, "x-amz-checksum-sha1": .sha1,
        "x-amz-checksum-crc32": .crc32, "x-amz-checksum-crc32c": .crc32c,
        "x-amz-checksum-crc64nvme": .crc64nvme,
    ]
    private static let google: [String: DigestAlgorithm] = ["crc32c": .crc32c, "md5": .md5]
    private static let names = Set(hexadecimal.keys).union(amazon.keys).union([
        "x-goog-hash", "x-goog-stored-content-encoding", "x-amz-checksum-type",
    ])

    private let fields: [Field]

    /// Takes the fields of an answer.
    init(_ fields: [Field]) { self.fields = fields }

    /// The digests of the stored object that can be read.
    ///
    /// - Parameters:
    ///   - isPart: whether the answer has a part of it: what S3 says then is of that part, or of
    ///     the whole, and nobody can tell which.
    ///   - coding: the coding of what is sent, in lower case; nil for none.
    /// - Returns: digests of the bytes as they are sent.
    func digests(isPart: Bool, coding: String?) -> [ExpectedDigest] {
        fields.flatMap { field -> [ExpectedDigest] in
            if let algorithm = StoreDigests.hexadecimal[field.name] {
                // A repository digests the stored bytes, not those with a content coding.
                guard coding == nil else { return [] }
                return StoreDigests.digest(algorithm, field.value).map { [$0] } ?? []
            }
            if let algorithm = StoreDigests.amazon[field.name] {
                // The checksum of an upload in parts ends with the number of parts.
                guard !isPart, !isComposite else { return [] }
                return StoreDigests.base64(algorithm, field.value).map { [$0] } ?? []
            }
            guard field.name == "x-goog-hash", storedCoding == coding else { return [] }
            return field.value.split(separator: ",").compactMap { member in
                guard let sign = member.firstIndex(of: "=") else { return nil }
                let name = member[..<sign].filter { $0 != " " && $0 != "\t" }.lowercased()
                guard let algorithm = StoreDigests.google[name] else { return nil }
                return StoreDigests.base64(algorithm, member[member.index(after: sign)...])
            }
        }
    }

    private var isComposite: Bool {
        fields.contains {
            $0.name == "x-amz-checksum-type" && $0.value.lowercased() != "full_object"
        }
    }

    /// The coding in which Cloud Storage stores the object; its hash is of the coded bytes.
    private var storedCoding: String? {
        guard
            let value = fields.first(where: { $0.name == "x-goog-stored-content-encoding" })?.value
                .lowercased(), value != "identity"
        else { return nil }
        return value
    }

    private static func digest(_ algorithm: DigestAlgorithm, _ text: String) -> ExpectedDigest? {
        do throws(DigestError) {
            return try ExpectedDigest("\(algorithm.rawValue):\(text)")
        } catch {
            return nil
        }
    }

    private static func base64(
        _ algorithm: DigestAlgorithm, _ text: some StringProtocol
    ) -> ExpectedDigest? {
        let trimmed = String(text).filter { $0 != " " && $0 != "\t" }
        guard trimmed.utf8.count <= 128 else { return nil }
        return Base64.decode(trimmed).flatMap { ExpectedDigest(algorithm, bytes: $0) }
    }
}
