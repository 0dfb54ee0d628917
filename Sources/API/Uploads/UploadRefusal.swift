/// The reason why a data directory does not take the bytes of an upload.
package enum UploadRefusal: Error, Sendable, Equatable {
    /// The disk has too few free bytes.
    case noRoom
    /// There is no such file: it is gone, or was adopted by the attempt that sends it.
    case missing
    /// The disk does not work; the text is for the log.
    case failed(String)
}

extension UploadRefusal {
    /// The refusal as a problem.
    var problem: Problem {
        switch self {
        case .noRoom:
            return Problem(
                .insufficientStorage,
                "The disk of this service has no room for a file of this length. Try again later, "
                    + "or ask its operator.")
        case .missing, .failed:
            var problem = Problem(
                .contentUnavailable, "The bytes of the upload cannot be read or written. Try again."
            )
            problem.headers = [("Retry-After", "5")]
            return problem
        }
    }
}
