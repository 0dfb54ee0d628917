// The failure of a transfer: a code that the API shares, and the transport's own message.
package import Downloads

/// The failure of a transfer: a value, because failures are expected.
package struct TransferFailure: Sendable, Equatable, CustomStringConvertible {
    /// The stable code.
    package let code: FailureCode
    /// One sentence for people; holds no address that was looked up.
    package let description: String
    /// For the operator's log: the reason of a denial, or libcurl's message.
    package let detail: String
    /// Whether there was no route, no name server, or no answer to a connection in time.
    package var isUnreachable = false

    /// A failure with the sentence of its code.
    package init(_ code: FailureCode, detail: String = "") {
        self.init(code, sentence: code.sentence, detail: detail)
    }

    /// A failure with a sentence of its own.
    init(_ code: FailureCode, sentence: String, detail: String = "") {
        self.code = code
        self.detail = detail
        description = sentence
    }

    /// The part of ``detail`` that the client may read as well, at most 300 bytes.
    ///
    /// It is the part that libcurl, or our reading of the head or of the chunks, reported about the
    /// other side.
    package var words: String? {
        code.hidesTransportWords || detail.isEmpty ? nil : detail
    }

    /// The failure for a length beyond any file.
    static let lengthBeyondCounting = TransferFailure(
        .dataLengthExceedsMaximum, sentence: "The server announced a body of 10^18 bytes or more.")

    /// The failure, marked as one that did not reach the other side.
    var unreachable: TransferFailure {
        var failure = self
        failure.isUnreachable = true
        return failure
    }

    /// The party that has to act.
    package var `class`: FailureClass { code.usual.failureClass }
    /// Whether another attempt may end differently.
    package var isRetryable: Bool { code.usual.isRetryable }
}
