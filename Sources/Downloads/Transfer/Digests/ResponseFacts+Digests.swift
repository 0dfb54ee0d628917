// The digests that an origin gives for its content.
internal import Base

/// The digest fields of an answer: `Repr-Digest` and `Content-Digest` (RFC 9530), `Digest`
/// (RFC 3230), `Content-MD5` (RFC 2616 section 14.15), and those of `StoreDigests`.
///
/// All of them are computed over the bytes as sent, content coding included; these bytes are kept.
extension ResponseFacts {
    /// The digests of the whole representation that can be read, in the order of the fields.
    ///
    /// The content of a 200 is the whole, that of a 206 is a part.
    package var wholeDigests: [ExpectedDigest] {
        var named = reprDigest.map(digests) ?? []
        if let digest { named += digests(digest) }
        if !storeFields.isEmpty {
            named += StoreDigests(storeFields).digests(isPart: !isWhole, coding: coding)
        }
        return isWhole ? named + messageDigests : named
    }

    /// The digests of this answer's own content.
    package var messageDigests: [ExpectedDigest] {
        let named = contentDigest.map(digests) ?? []
        let sums = contentMD5?.split(separator: ",").compactMap {
            ResponseFacts.digest(.md5, ResponseFacts.trimmed($0))
        }
        return named + (sums ?? [])
    }

    /// Names from RFC 9530, from RFC 3230 and 5843, and from the drafts between them; `id-` names a
    /// digest of the content without its coding.
    private static let algorithms: [String: DigestAlgorithm] = [
        "sha-256": .sha256, "sha256": .sha256, "sha-512": .sha512, "sha512": .sha512, "md5": .md5,
        "id-sha-256": .sha256, "id-sha-512": .sha512,
    ]

    /// Reads `sha-256=:BASE64:, md5=…` as well as `SHA-256=BASE64,MD5=…`; unreadable ones are left
    /// out.
    private func digests(_ field: String) -> [ExpectedDigest] {
        field.split(separator: ",").compactMap { member in
            let trimmed = ResponseFacts.trimmed(member)
            guard let sign = trimmed.firstIndex(of: "=") else { return nil }
            let name = trimmed[..<sign].lowercased()
            guard let algorithm = ResponseFacts.algorithms[name],
                coding == nil || !name.hasPrefix("id-")
            else { return nil }
            var value = ResponseFacts.trimmed(
                trimmed[trimmed.index(after: sign)...].prefix { $0 != ";" })
            if value.hasPrefix(":") {
                guard value.utf8.count >= 2, value.hasSuffix(":") else { return nil }
                value = String(value.dropFirst().dropLast())
            }
            return ResponseFacts.digest(algorithm, value)
        }
    }

    private static func digest(_ algorithm: DigestAlgorithm, _ text: String) -> ExpectedDigest? {
        guard text.utf8.count <= 128 else { return nil }
        return Base64.decode(text).flatMap { ExpectedDigest(algorithm, bytes: $0) }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
