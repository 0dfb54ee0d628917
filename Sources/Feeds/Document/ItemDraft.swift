internal import Base
internal import Downloads

/// An item of a feed while it is read.
struct ItemDraft {
    /// The most files of an item that are kept.
    static let filesAtMost = 64
    /// The most characters of a title.
    static let titleAtMost = 1024

    /// A file as the feed has it.
    struct File {
        /// The address as it is written.
        var address: String
        /// The address against which that one is resolved.
        var base: SourceURL
        /// The media type as it is written.
        var type: String?
        /// The length as it is written.
        var length: String?
    }

    /// The number of bytes before it, or in a JSON Feed its number.
    var offset: Int
    /// The name that its publisher gave it.
    var guid = ""
    /// Its title.
    var title = ""
    /// Its date, and how much that date says: publication more than change.
    var date: (rank: Int, instant: Timestamp)?
    /// Its files.
    var files: [File] = []
    /// What Media RSS says of files, which counts where there are no others.
    var media: [File] = []

    /// Begins an item.
    init(offset: Int) { self.offset = offset }

    /// Takes a date if it says more than the one that is there.
    mutating func take(date text: String, rank: Int) {
        guard rank > date?.rank ?? 0, let instant = FeedDate.read(text) else { return }
        date = (rank, instant)
    }

    /// The item, or why it cannot be used; nil for one without a file.
    func finished() -> (item: FeedItem?, reason: LeftOutItem.Reason?) {
        let found = files.isEmpty ? media : files
        guard !found.isEmpty else { return (nil, nil) }
        let guid = guid.trimmed
        guard guid.isReadable else { return (nil, .unreadable) }
        guard guid.utf8.count <= FeedItem.guidBytesAtMost else { return (nil, .long) }
        var enclosures: [Enclosure] = []
        var reason = LeftOutItem.Reason.url
        for file in found.prefix(ItemDraft.filesAtMost) {
            let address = file.address.trimmed
            guard address.isReadable else {
                reason = .unreadable
                continue
            }
            do throws(SourceURLError) {
                let url = try file.base.resolving(FieldValue(address))
                enclosures.append(
                    Enclosure(
                        url: url, type: file.type.flatMap(ItemDraft.type),
                        length: file.length.flatMap(ItemDraft.length)))
            } catch {
                continue
            }
        }
        guard !enclosures.isEmpty else { return (nil, reason) }
        let item = FeedItem(
            guid: guid.isEmpty ? nil : guid,
            title: String(title.oneLine.shown.prefix(ItemDraft.titleAtMost)),
            date: date?.instant, enclosures: enclosures)
        return (item, nil)
    }

    private static func type(_ text: String) -> String? {
        let type = text.prefix { $0 != ";" }.trimmed.lowercased()
        let parts = type.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), type.utf8.count <= 255,
            type.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else { return nil }
        return type
    }

    private static func length(_ text: String) -> Int64? {
        guard let length = Int64(text.trimmed), length > 0, length <= 1 << 53 else { return nil }
        return length
    }
}

extension String {
    /// Whether every character could be read and may stand in a name.
    var isReadable: Bool {
        unicodeScalars.allSatisfy { $0 != "\u{fffd}" && $0.value >= 0x20 && $0.value != 0x7f }
    }

    /// The text with U+FFFD in place of control characters.
    var shown: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? "\u{fffd}" : $0 }))
    }
}
