// The values of a filter, in a query and in a body.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Store

/// Reads the values that a filter has in a query and in a body; nil for invalid texts.
enum FilterValues {
    /// The names of all states.
    static let stateNames = DownloadState.allCases.map(\.rawValue).joined(separator: ", ")

    /// The rule for an origin, as a part of a message.
    static let originRule =
        "must be an origin such as https://mirror.example or http://a.example:81"

    /// The rule for a failure code, as a part of a message.
    static let errorCodeRule =
        "must be a failure code such as http_status; docs/errors.md lists them"

    /// The rule for a part of a name, as a part of a message.
    static let textRule = "must have 1 to 256 characters"

    /// The forms in which a part of a name or URL may stand there: as given, and percent-encoded.
    static func texts(_ text: String) -> [String]? {
        guard !text.isEmpty, text.count <= 256 else { return nil }
        let encoded = PercentCoding.encode(text, keeping: "-._~/")
        return encoded == text ? [text] : [text, encoded]
    }

    /// The origin with its port.
    static func origin(_ text: String) -> String? {
        do throws(SourceURLError) {
            let url = try SourceURL(parsing: text)
            return url.target == "/" ? url.origin : nil
        } catch {
            return nil
        }
    }
}
