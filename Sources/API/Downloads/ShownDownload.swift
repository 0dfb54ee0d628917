// Downloads as bodies of answers.
internal import Base
internal import Downloads

/// A download with its blockers, for clients.
struct ShownDownload {
    /// The download.
    let download: Download
    /// The reasons why it waits.
    let blockers: [Blocker]
    /// The members whose secrets a change dropped; nil without a change.
    var dropped: [String]?

    /// The body of an answer with the download.
    var body: JSONWriter {
        var writer = JSONWriter(capacity: 2048)
        download.write(to: &writer, blockers: blockers, dropped: dropped)
        return writer
    }
}

extension Collection<ShownDownload> {
    /// The body of an answer with a list.
    ///
    /// - Parameters:
    ///   - view: the form of each download.
    ///   - cursor: where the next page begins, `null` for nowhere; nil leaves it out.
    ///   - isTruncated: whether only a part was looked at; nil leaves it out.
    /// - Returns: the body.
    func body(
        _ view: DownloadView = .whole, nextCursor cursor: String??, isTruncated: Bool? = nil
    ) -> JSONWriter {
        var writer = JSONWriter(capacity: (view == .row ? 512 : 2048) * (count + 1))
        writer.beginObject()
        writer.key("data")
        writer.beginArray()
        for shown in self {
            switch view {
            case .whole: shown.download.write(to: &writer, blockers: shown.blockers)
            case .row:
                DownloadRow(shown.download, blocker: shown.blockers.first).write(to: &writer)
            }
        }
        writer.endArray()
        if let cursor { writer.member("next_cursor", cursor) }
        if let isTruncated { writer.member("truncated", isTruncated) }
        writer.endObject()
        return writer
    }
}
