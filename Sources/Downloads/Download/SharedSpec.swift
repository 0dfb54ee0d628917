// The values of a download, in an object that its copies share.

/// Holds the values by reference: a copy of them would count a reference for each text and list.
package final class SharedSpec: Sendable {
    /// The values.
    package let spec: DownloadSpec

    /// Puts values into a new object.
    init(_ spec: DownloadSpec) { self.spec = spec }
}
