internal import Base
internal import Downloads
internal import HTTPWire

/// The header fields of tus 1.0 in one request (https://tus.io/protocols/resumable-upload).
struct TusRequest {
    /// The only version of the protocol.
    static let version = "1.0.0"
    /// The extensions that are offered; creation is `POST /v1/uploads`.
    static let extensions = "checksum,expiration,termination"
    /// The algorithms of `Upload-Checksum`.
    static let algorithms: [DigestAlgorithm] = [.sha1, .sha256]
    /// The media type of a chunk.
    static let mediaType = "application/offset+octet-stream"
    /// The header field of the version, in every request and answer.
    static let resumable = ("Tus-Resumable", version)
    /// The most digits of an offset, which always fits in 64 bits.
    private static let digitsAtMost = 18

    /// The offset at which the bytes of a PATCH belong.
    let offset: Int64
    /// The digest of the bytes, from `Upload-Checksum`; nil without one.
    let checksum: ExpectedDigest?

    /// Reads the fields of a PATCH.
    ///
    /// - Throws: `precondition-failed` for another version, `unsupported-media-type`, or
    ///   `validation-failed` with the name of the field.
    init(patch request: Request) throws(Problem) {
        try TusRequest.expectVersion(request)
        let types = request.headers.all("Content-Type")
        guard types.count == 1, types[0].lowercased() == TusRequest.mediaType else {
            var problem = Problem(
                .unsupportedMediaType,
                "Send the bytes with Content-Type: \(TusRequest.mediaType), or the whole file by "
                    + "PUT.")
            problem.headers = [("Accept-Patch", TusRequest.mediaType)]
            throw problem
        }
        offset = try TusRequest.offset(request)
        checksum = try TusRequest.checksum(request)
    }

    /// Refuses a request of another version of the protocol.
    ///
    /// - Throws: `precondition-failed` with `Tus-Version`.
    static func expectVersion(_ request: Request) throws(Problem) {
        let sent = request.headers.all("Tus-Resumable")
        guard sent != [version] else { return }
        var problem = Problem(
            .preconditionFailed,
            sent.isEmpty
                ? "Send Tus-Resumable: \(version); this method is that of tus."
                : "The only version of tus that is spoken here is \(version).")
        problem.headers = [("Tus-Version", version)]
        throw problem
    }

    private static func offset(_ request: Request) throws(Problem) -> Int64 {
        let sent = request.headers.all("Upload-Offset")
        guard sent.count == 1, let number = number(sent[0]) else {
            throw refused("Upload-Offset", "must be there once, as a number of bytes")
        }
        return number
    }

    /// A number without a sign, in decimal digits.
    private static func number(_ text: String) -> Int64? {
        let digits = text.utf8
        guard (1...digitsAtMost).contains(digits.count),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int64(text)
    }

    private static func checksum(_ request: Request) throws(Problem) -> ExpectedDigest? {
        let sent = request.headers.all("Upload-Checksum")
        guard !sent.isEmpty else { return nil }
        let words = sent[0].split(separator: " ", omittingEmptySubsequences: false)
        let names = algorithms.map(\.rawValue).joined(separator: " or ")
        guard sent.count == 1, words.count == 2,
            let algorithm = algorithms.first(where: { $0.rawValue == words[0] }),
            let bytes = Base64.decode(String(words[1])),
            let digest = ExpectedDigest(algorithm, bytes: bytes)
        else {
            throw refused(
                "Upload-Checksum", "must be there once, as \(names), a space and the base64")
        }
        return digest
    }

    private static func refused(_ field: String, _ rule: String) -> Problem {
        Problem(.validationFailed, "\(field) \(rule).")
    }
}
