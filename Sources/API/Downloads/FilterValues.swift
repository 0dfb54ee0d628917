// The values of a filter, in a query and in a body.
internal import Core
internal import Store

/// Reads what both spellings of a filter have in common; nil where the text is none of it.
enum FilterValues {
    /// The states by name.
    static let stateNames = DownloadState.allCases.map(\.rawValue).joined(separator: ", ")

    /// What an origin has to look like.
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
