// One answer of a store.
internal import Base
internal import Downloads
internal import Transfers

/// An answer of a store, with its body in memory.
struct StoreAnswer {
    /// The head.
    let head: ResponseHead
    /// The body.
    let body: [UInt8]
    /// The document in the body; nil for none.
    let document: XMLNode?

    /// Reads the body of an answer.
    init(_ head: ResponseHead, _ body: [UInt8]) {
        self.head = head
        self.body = body
        document = body.isEmpty ? nil : XMLNode.root(of: body)
    }

    /// Whether the request was granted: an error may stand in an answer that begins as a success.
    var isGranted: Bool { (200...299).contains(head.status) && error == nil }

    /// The error in the body; nil without one.
    var error: XMLNode? { document?.name == "Error" ? document : nil }

    /// The store's code of the error; nil without one.
    var code: String? {
        guard let code = error?["Code"]?.prefix(64), !code.isEmpty,
            code.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else { return nil }
        return String(code)
    }

    /// Whether the store refuses the keys; the answer to a HEAD has no code.
    var refusesCredentials: Bool {
        guard !isGranted else { return false }
        guard let code else { return [400, 401, 403].contains(head.status) }
        return StoreAnswer.credentialCodes.contains(code)
    }

    private static let credentialCodes: Set<String> = [
        "AccessDenied", "ExpiredToken", "InvalidAccessKeyId", "InvalidToken",
        "SignatureDoesNotMatch",
    ]

    /// The failure of a request that was not granted; the time is for the wait that the store asks
    /// for.
    func failure(of request: StoreRequest, now: Timestamp) -> StoreFailure {
        var failure = StoreFailure(kind(of: request), sentence(of: request))
        failure.code = code
        failure.status = head.status
        failure.wait = head.retryAfter.flatMap { RetryAfter.parse($0, now: now) }
        return failure
    }

    private func kind(of request: StoreRequest) -> StoreFailure.Kind {
        // A write of an object that must be there fails like one that finds another object.
        if request.hasEffect, code == "NoSuchKey" { return .conflict }
        if let code, let kind = StoreAnswer.kinds[code] { return kind }
        switch head.status {
        // An error in an answer that began as a success, which Amazon asks to try again.
        case 200...299: return error == nil ? .unknown : .again
        case 404 where code == nil && request.key != nil:
            return request.upload == nil ? .missing : .noUpload
        case 408, 425, 429, 503: return .again
        case 412: return .conflict
        case 501: return .refused
        // A gateway tells nothing about the effect.
        case 500...599: return request.hasEffect ? .unknown : .again
        default: return .refused
        }
    }

    /// The codes that tell more than the status.
    private static let kinds: [String: StoreFailure.Kind] = [
        "BadDigest": .damaged,
        "ConditionalRequestConflict": .again,
        "IncompleteBody": .again,
        // The parts that the upload had are not those that were named: it begins anew.
        "InvalidPart": .noUpload,
        "InvalidPartOrder": .noUpload,
        "NoSuchKey": .missing,
        "NoSuchUpload": .noUpload,
        "NotImplemented": .refused,
        "OperationAborted": .again,
        "PreconditionFailed": .conflict,
        "RequestTimeTooSkewed": .again,
        "RequestTimeout": .again,
        "ServiceUnavailable": .again,
        "SlowDown": .again,
        "TooManyRequests": .again,
        "XAmzContentChecksumMismatch": .damaged,
        "XAmzContentSHA256Mismatch": .damaged,
    ]

    private func sentence(of request: StoreRequest) -> String {
        let answer = "The store answered \(request.title) with \(head.status)"
        guard let code else { return answer + "." }
        let words = (error?["Message"] ?? "").unicodeScalars.prefix(200)
            .map { $0.properties.generalCategory == .control ? " " : String($0) }.joined()
        return words.isEmpty ? "\(answer) \(code)." : "\(answer) \(code): \(words)"
    }
}
