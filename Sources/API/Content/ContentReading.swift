/// How a request reads content: by the path of its download, or by a link.
struct ContentReading: Sendable {
    /// The app that the download belongs to.
    let app: Int64
    /// Whether a browser may show the content in place of saving it.
    var isInline = false
    /// Whether the bytes have to come from this service, also those in an object store.
    var needsBytes = false
}
