// The form in which a list or a stream shows downloads.
internal import HTTPWire

/// The form of downloads in an answer with many of them.
enum DownloadView: String, Sendable {
    /// The whole resource.
    case whole
    /// The short form of `DownloadRow`.
    case row

    /// Reads the parameter `view`; without it the whole resource is shown.
    ///
    /// - Throws: `validation-failed`.
    init(_ query: Query) throws(Problem) {
        switch query["view"] {
        case nil: self = .whole
        case "row": self = .row
        default: throw .invalid("?view", "must be row, or left out for whole downloads")
        }
    }
}
