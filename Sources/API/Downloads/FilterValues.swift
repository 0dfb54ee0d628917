// The values of a filter, in a query and in a body.
internal import Base
internal import Downloads
internal import Store

/// Reads the values that a filter has in a query and in a body; nil for invalid texts.
enum FilterValues {
    /// The names of all states.
    static let stateNames = DownloadState.allCases.map(\.rawValue).joined(separator: ", ")

    /// The rule for an origin, as a part of a message.
    static let originRule =
        "must be an origin such as https://mirror.example or http://a.example:81"

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
