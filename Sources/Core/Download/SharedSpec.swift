// What copies of a download share.

/// Values of many texts and lists: a copy of them would count a reference for each.
package final class SharedSpec: Sendable {
    /// The values.
    package let spec: DownloadSpec

    /// Values that are not shared yet.
    init(_ spec: DownloadSpec) { self.spec = spec }
}
