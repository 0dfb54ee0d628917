// The demands of a download, judged on content that the transfer of another one brought.
internal import Base

extension Download {
    /// The failure if content that another download transferred does not meet this download's
    /// demands; nil if it does.
    ///
    /// The other download has judged the content by its own demands. All downloads that share a
    /// transfer expect one digest if its algorithm is not SHA-256, so that digest was checked
    /// there.
    ///
    /// - Parameters:
    ///   - content: as the result of the other one has it.
    ///   - answer: the head that it came with; nil where that is not known, and then no type is.
    /// - Returns: the failure that a transfer of its own would end with, as far as can be told.
    package func refusal(
        ofJoined content: DownloadContent, answer: OriginResponse?
    ) -> DownloadFailure? {
        let spec = shared.value
        if let failure = answer == nil && spec.rules.acceptedTypes != nil
            ? .typeNotAccepted("of an unknown type", accepted: spec.rules.acceptedTypes ?? [])
            : spec.rules.refusal(ofType: answer?.headers.contentType)
        {
            return failure
        }
        if let failure = spec.rules.refusal(ofLength: content.length, bytesExpectedByClient) {
            return failure
        }
        if let expected = spec.expectedDigest, expected.algorithm == .sha256,
            expected.hexadecimal != content.sha256
        {
            return DownloadFailure(
                .permanent, code: .digestMismatch,
                detail: "the file's digest is sha256:\(content.sha256)", isRetryable: false)
        }
        // A matching digest proves the length as well.
        let isProved = content.isLengthVerified || spec.expectedDigest != nil
        return spec.rules.requiresVerifiedLength ?? false && !isProved ? .lengthUnverified : nil
    }
}
