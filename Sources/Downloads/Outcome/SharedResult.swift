// The result of a download, in an object that its copies share.

/// Holds a result by reference, because it is large and mostly empty while a download waits.
package final class SharedResult: Sendable {
    /// The result of a download without an attempt.
    static let nothing = SharedResult(.blank)

    /// The result.
    package let result: DownloadResult

    /// Puts a result into a new object.
    init(_ result: DownloadResult) { self.result = result }
}
