// What copies of a download share of its outcome.

/// A result, which is large and mostly empty while a download waits.
package final class SharedResult: Sendable {
    /// The result of what has not begun.
    static let nothing = SharedResult(.blank)

    /// The result.
    package let result: DownloadResult

    /// A result that is not shared yet.
    init(_ result: DownloadResult) { self.result = result }
}
