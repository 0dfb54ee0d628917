// Problem documents (RFC 9457) as sentences; pure.
package import Base

/// Turns an answer of 4xx or 5xx into a failure.
package enum Refusal {
    /// Returns the failure for a problem document: the errors, with their place in the document.
    ///
    /// - Parameters:
    ///   - status: of the answer.
    ///   - document: the problem; nil where the body is none.
    ///   - retryAfter: what the answer asks for.
    ///   - words: the words of the command line for places in the request.
    /// - Returns: the failure.
    package static func failure(
        status: Int, _ document: JSON?, retryAfter: Duration? = nil, in words: PlaceWords? = nil
    ) -> ClientFailure {
        ClientFailure(
            sentence(status: status, document, words), exitStatus(of: status),
            isTransient: [408, 429, 500, 502, 503, 504].contains(status),
            isAbsent: status == 404, retryAfter: retryAfter)
    }

    private static func exitStatus(of status: Int) -> ExitStatus {
        switch status {
        case 401, 403: .key
        case 502, 503, 504: .notReached
        default: .failed
        }
    }

    private static func sentence(
        status: Int, _ document: JSON?, _ places: PlaceWords?
    ) -> String {
        let detail = document?["detail"]?.stringValue ?? document?["title"]?.stringValue
        var text = Printable.text(
            detail.map { PlainWords.of($0) } ?? "the service answered with status \(status)")
        let errors = document?["errors"]?.arrayValue ?? []
        if !errors.isEmpty {
            text = errors.map { error in
                let pointer = error["pointer"]?.stringValue ?? error["parameter"]?.stringValue
                let words = Printable.text(
                    PlainWords.of(error["detail"]?.stringValue ?? "is not valid"))
                let place = pointer.map { places?.words(for: $0) ?? $0 }
                // A detail that is a sentence of its own stands behind the place.
                let mark = words.first?.isUppercase == true ? ": " : " "
                return Printable.text(place ?? "the request") + mark + words
            }.joined(separator: "; ")
            if let more = document?["errors_omitted"]?.integerValue, more > 0 {
                text += "; and \(more) more"
            }
        }
        if let code = document?["code"]?.stringValue { text += " (\(Printable.text(code)))" }
        if status == 401 { text += "; give a key with --key-file or LULL_KEY_FILE" }
        return text
    }
}
