// Bytes of a feed, as publishers have them, to a value.
package import Base
package import Downloads
internal import XML

/// Reads feeds: RSS 2.0, Atom and JSON Feed, each with its files alone.
///
/// The result follows from the arguments alone.
package enum FeedReader {
    /// Reads a feed.
    ///
    /// A gzip file is undone. The character set follows from the bytes, the `contentType` and the
    /// document, see `FeedText`.
    ///
    /// - Parameters:
    ///   - bytes: the content.
    ///   - url: where it came from, after redirects; the base of its addresses.
    ///   - contentType: the field of the answer; nil without one.
    /// - Returns: the feed, with its items that have files.
    /// - Throws: the fault that keeps the feed from being read, with its place.
    package static func read(
        _ bytes: [UInt8], from url: SourceURL, contentType: String?
    ) throws(FeedFault) -> Feed {
        let plain = try FeedBytes.inflated(bytes)
        let type = ContentTypeField(contentType)
        let text = FeedText(plain, charset: type.charset)
        guard text.bytes.count <= FeedText.bytesAtMost else {
            throw FeedFault(.tooLarge, detail: "more than 8 MiB")
        }
        guard let first = text.bytes.first else {
            throw FeedFault(.malformed, detail: "the feed is empty")
        }
        if first == UInt8(ascii: "<") { return try FeedReader.xml(text, from: url) }
        if first == UInt8(ascii: "{") { return try JSONFeed.read(text, from: url) }
        throw FeedFault(.notAFeed, detail: "neither XML nor JSON")
    }

    private static func xml(_ text: FeedText, from url: SourceURL) throws(FeedFault) -> Feed {
        let replaced = ReplacedEntities(text.bytes)
        let builder = FeedBuilder(from: url)
        let limits = XMLLimits(
            bytes: FeedText.bytesAtMost, depth: Feed.depthAtMost, elements: .max,
            doctypes: .plain, isUTF8: true)
        var feed: Feed?
        var fault: XMLFault?
        do throws(XMLFault) {
            try XMLReader.read(replaced.bytes, within: limits, to: builder)
            feed = builder.feed
        } catch {
            fault = error
        }
        if let fault {
            var told = text.fault(fault, at: replaced.place(of: fault.offset))
            if told.reason == .notAFeed { told.detail = "begins with the element \(builder.root)" }
            throw told
        }
        guard var feed else { throw FeedFault(.notAFeed, detail: "it has no element") }
        let places = text.places(of: builder.leftOut.map { replaced.place(of: $0.offset) })
        feed.leftOut = zip(builder.leftOut, places).map { left, place in
            LeftOutItem(reason: left.reason, line: place.line, column: place.column)
        }
        return feed
    }
}

extension FeedText {
    /// The fault of a document at a number of bytes.
    fileprivate func fault(_ fault: XMLFault, at offset: Int) -> FeedFault {
        let reason: FeedFault.Reason =
            switch fault.kind {
            case .malformed: .malformed
            case .doctype: .doctype
            case .depth: .tooDeep
            case .elements, .size: .tooLarge
            case .ended: .notAFeed
            }
        let place = places(of: [offset])[0]
        return FeedFault(
            reason, line: place.line, column: place.column, detail: fault.message)
    }
}
