// The action that lets a failed download succeed, for explanations.

extension FailureCode {
    /// The action of the client or the operator that may let a download with this failure succeed,
    /// one sentence.
    package var remedy: String {
        switch self {
        case .userAuthenticationRequired: "Give it other credentials or headers."
        case .urlExpired: "Give it a new URL of the same file."
        case .proxyAuthenticationRequired:
            "Give its session or the download other credentials of the proxy."
        case .proxyRefused: "Let the proxy allow the host, or take another proxy."
        case .requestOutcomeUnknown:
            "Find out at the origin whether the request took effect, because it "
                + "may not be repeated by itself."
        case .credentialsUnreadable:
            "Configure the key that sealed its secrets, or give it the secrets again."
        case .destinationConflict: "Give it another path, or another rule for files that exist."
        case .destinationUnavailable: "Make the folder or store of its destination work again."
        case .destinationRefused: "Give it another receiver, or other credentials of the receiver."
        case .destinationOutcomeUnknown:
            "Find out at the receiver whether it has the file, because it may not "
                + "be sent again by itself."
        case .contentLost, .contentExpired: "Send the file once more, as a new upload."
        case .clientCertificateRequired, .clientCertificateRejected:
            "Give its session a client certificate that the server takes."
        case .serverCertificateUntrusted, .secureConnectionFailed:
            "Correct the server's certificate, or the URL."
        case .dataLengthExceedsMaximum: "Allow it more bytes."
        case .contentTypeNotAccepted, .contentTooShort:
            "Look at the beginning of the answer: it is probably a page in place of the file."
        case .destinationNotAllowed: "The operator has to allow the destination."
        case .insufficientStorage, .cannotWriteToFile: "The operator has to make room on the disk."
        case .tooManyRedirects, .redirectToNonExistentLocation, .requiresSecureConnection,
            .httpStatus,
            .resourceUnavailable, .unsupportedURL, .badRequestHeader, .cannotFindHost:
            "Correct the URL or the headers."
        case .expectedLengthMismatch, .digestMismatch, .sizeMismatch, .sourceChanged,
            .lengthUnverified:
            "Correct the expected digest or length, or fetch it anew."
        case .dnsLookupFailed, .cannotConnectToHost, .networkConnectionLost, .timedOut, .stalled,
            .proxyConnectionFailed, .badServerResponse, .credentialsUnavailable, .cannotRecord:
            "Try it again later."
        }
    }
}
