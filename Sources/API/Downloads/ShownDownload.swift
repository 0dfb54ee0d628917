// Downloads as the body of an answer.
internal import Core

/// A download and why it waits, as clients see it.
struct ShownDownload {
    /// The download.
    let download: Download
    /// Why it waits.
    let blockers: [Blocker]
    /// The members whose secrets a change dropped; nil where nothing was changed.
    var dropped: [String]?

    /// The body of an answer that is about it.
    var body: JSONWriter {
        var writer = JSONWriter(capacity: 2048)
        download.write(to: &writer, blockers: blockers, dropped: dropped)
        return writer
    }
}

extension Collection<ShownDownload> {
    /// The body of an answer that lists them.
    ///
    /// - Parameters:
    ///   - cursor: where the next page begins, `null` for nowhere; nil leaves it out.
    ///   - isTruncated: whether only a part was looked at; nil leaves it out.
    /// - Returns: the body.
    func body(nextCursor cursor: String??, isTruncated: Bool? = nil) -> JSONWriter {
        var writer = JSONWriter(capacity: 2048 * (count + 1))
        writer.beginObject()
        writer.key("data")
        writer.beginArray()
        for shown in self { shown.download.write(to: &writer, blockers: shown.blockers) }
        writer.endArray()
        if let cursor { writer.member("next_cursor", cursor) }
        if let isTruncated { writer.member("truncated", isTruncated) }
        writer.endObject()
        return writer
    }
}
