// JSON Feed 1.0 and 1.1.
internal import Base
internal import Downloads

/// Reads JSON Feed.
enum JSONFeed {
    /// Reads a feed.
    ///
    /// - Parameters:
    ///   - text: the document.
    ///   - url: the base of its addresses.
    /// - Returns: the feed, with its items that have files.
    /// - Throws: the fault of the document, with its place.
    static func read(_ text: FeedText, from url: SourceURL) throws(FeedFault) -> Feed {
        let document: JSON
        do throws(JSONError) {
            document = try JSON.parse(
                text.bytes,
                limits: JSONLimits(
                    depth: Feed.depthAtMost, bytes: FeedText.bytesAtMost, members: 10_000,
                    memory: 64 << 20))
        } catch {
            throw FeedFault(
                error.isBeyondLimits ? .tooLarge : .malformed,
                line: error.line + text.first.line - 1,
                column: error.column + (error.line == 1 ? text.first.column - 1 : 0),
                detail: error.message)
        }
        guard let version = document["version"]?.stringValue, version.contains("jsonfeed"),
            let items = document["items"]?.arrayValue
        else { throw FeedFault(.notAFeed, detail: "has no version of JSON Feed, or no items") }
        var feed = Feed(format: .json)
        feed.take(.title, document["title"]?.stringValue ?? "")
        feed.isCut = items.count > Feed.itemsAtMost
        for (number, item) in items.prefix(Feed.itemsAtMost).enumerated() {
            let (made, reason) = draft(item, number, url).finished()
            if let made { feed.items.append(made) }
            if let reason, feed.leftOut.count < LeftOutItem.atMost {
                feed.leftOut.append(LeftOutItem(reason: reason, line: 0, column: number))
            }
        }
        return feed
    }

    private static func draft(_ item: JSON, _ number: Int, _ base: SourceURL) -> ItemDraft {
        var draft = ItemDraft(offset: number)
        let id = item["id"]
        draft.guid = id?.stringValue ?? id?.integerValue.map { "\($0)" } ?? ""
        draft.title = item["title"]?.stringValue ?? ""
        draft.take(date: item["date_published"]?.stringValue ?? "", rank: 3)
        draft.take(date: item["date_modified"]?.stringValue ?? "", rank: 1)
        let attachments = item["attachments"]?.arrayValue ?? []
        draft.files = attachments.prefix(ItemDraft.filesAtMost).compactMap { attachment in
            guard let address = attachment["url"]?.stringValue, !address.trimmed.isEmpty
            else { return nil }
            return ItemDraft.File(
                address: address, base: base, type: attachment["mime_type"]?.stringValue,
                length: attachment["size_in_bytes"]?.integerValue.map { "\($0)" })
        }
        return draft
    }
}
