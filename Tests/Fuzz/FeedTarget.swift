// libFuzzer's entry for feeds: scripts/fuzz compiles it together with the reader and its shells.

private let address: SourceURL = {
    do throws(SourceURLError) {
        return try SourceURL(parsing: "https://pod.example/feeds/show.xml")
    } catch {
        preconditionFailure("it is an address")
    }
}()

/// A feed keeps its bounds, and is the same when it is read again; a fault has a place.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzFeed(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    do throws(FeedFault) {
        let feed = try FeedReader.read(input, from: address, contentType: nil)
        precondition(feed.items.count <= Feed.itemsAtMost, "items are bounded")
        precondition(feed.leftOut.count <= LeftOutItem.atMost, "what is left out is bounded")
        for item in feed.items {
            precondition(item.title.count <= 1024, "a title is bounded")
            precondition(item.guid?.isReadable ?? true, "a name can be read")
            precondition((1...64).contains(item.enclosures.count), "an item has files")
        }
        let again = try FeedReader.read(input, from: address, contentType: nil)
        precondition(again == feed, "read twice")
    } catch {
        precondition(error.line >= 1 && error.column >= 1, "a fault has a place")
    }
    return 0
}
