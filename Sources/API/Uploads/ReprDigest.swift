internal import Base
internal import Downloads
internal import HTTPWire

/// The digests of the whole file that a client sends with it: `Repr-Digest` (RFC 9530).
struct ReprDigest {
    /// The digests that are proved; others are ignored, as the RFC asks.
    let digests: [ExpectedDigest]

    /// The SHA-256; nil if it is not among them.
    var sha256: String? { digests.first { $0.algorithm == .sha256 }?.hexadecimal }

    /// Reads the field of a request.
    ///
    /// - Throws: `validation-failed` for a `sha-256` or `sha-512` that cannot be read.
    init(_ request: Request) throws(Problem) {
        var digests: [ExpectedDigest] = []
        for line in request.headers.all("Repr-Digest") {
            for member in line.split(separator: ",") {
                if let digest = try ReprDigest.digest(member) { digests.append(digest) }
            }
        }
        self.digests = digests
    }

    private static func digest(_ member: Substring) throws(Problem) -> ExpectedDigest? {
        let text = member.trimmingPrefix { $0 == " " || $0 == "\t" }
        let name = text.prefix { $0 != "=" }
        let algorithms: [Substring: DigestAlgorithm] = ["sha-256": .sha256, "sha-512": .sha512]
        guard let algorithm = algorithms[name] else { return nil }
        let value = text.dropFirst(name.utf8.count + 1).prefix { $0 != ";" && $0 != " " }
        guard value.utf8.count <= 128, value.count >= 2, value.first == ":", value.last == ":",
            let bytes = Base64.decode(String(value.dropFirst().dropLast())),
            let digest = ExpectedDigest(algorithm, bytes: bytes)
        else {
            throw Problem(
                .validationFailed,
                "Repr-Digest must have \(name) as \(name)=:BASE64: with the base64 of "
                    + "\(algorithm.digitCount / 2) bytes.")
        }
        return digest
    }
}
