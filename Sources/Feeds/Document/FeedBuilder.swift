// The elements of RSS and Atom, and the feed that they make.
internal import Base
internal import Downloads
internal import XML

/// Makes a feed of the elements of a document.
final class FeedBuilder: XMLHandler {
    /// The feed so far; nil before the root, and where the root is that of another document.
    private(set) var feed: Feed?
    /// The name of the root.
    private(set) var root = ""
    /// Items that cannot be used, with the number of bytes before each.
    private(set) var leftOut: [(reason: LeftOutItem.Reason, offset: Int)] = []
    /// The item that is read.
    var draft: ItemDraft?

    /// An element that has begun and not ended.
    struct Open {
        /// Its name.
        let name: FeedName
        /// The base of the addresses in it.
        let base: SourceURL
        /// The prefixes as they were before it; nil if it declares none.
        let prefixes: [String: FeedName.Space]?
    }

    /// A text that is wanted.
    private struct Capture {
        let field: FeedField
        /// The number of open elements, with the one that has the text.
        let depth: Int
        var text = ""
    }

    /// The most characters of a text that are kept.
    private static let textAtMost = 16_384

    private(set) var open: [Open] = []
    private var prefixes: [String: FeedName.Space] = [:]
    private var capture: Capture?
    private var itemDepth = 0
    private var count = 0
    private let address: SourceURL

    /// Begins a feed that came from an address.
    init(from address: SourceURL) { self.address = address }

    var wantsText: Bool { capture != nil }

    func begin(
        _ name: String, _ attributes: [(name: String, value: String)], at offset: Int
    ) -> Bool {
        let outer = prefixes
        for (key, value) in attributes {
            if key == "xmlns" { prefixes[""] = FeedName.space(ofNamespace: value) }
            if key.hasPrefix("xmlns:") {
                prefixes[String(key.dropFirst(6))] = FeedName.space(ofNamespace: value)
            }
        }
        let element = FeedName(name, prefixes: prefixes)
        let isRoot = open.isEmpty
        let parent = open.last
        open.append(
            Open(
                name: element, base: base(attributes),
                prefixes: prefixes == outer ? nil : outer))
        if isRoot { return begin(root: name, element.word) }
        guard capture == nil, let feed, let parent else { return true }
        if draft != nil {
            beginInItem(element, attributes, parent: parent.name)
        } else if feed.format == .rss ? element.isItem(in: parent) : element.isEntry(in: parent) {
            beginItem(at: offset)
        } else if let field = feed.field(of: element, in: open.dropLast().map(\.name)) {
            capture = Capture(field: field, depth: open.count)
        }
        return true
    }

    func end() {
        if let ended = capture, ended.depth == open.count {
            capture = nil
            take(ended.field, ended.text)
        }
        if draft != nil, open.count == itemDepth { finishItem() }
        if let outer = open.popLast()?.prefixes { prefixes = outer }
    }

    func text(_ piece: String) {
        guard let length = capture?.text.utf8.count, length < FeedBuilder.textAtMost else { return }
        capture?.text += piece
    }

    private func begin(root name: String, _ word: String) -> Bool {
        root = String(name.prefix(64))
        switch word {
        case "rss": feed = Feed(format: .rss)
        case "feed": feed = Feed(format: .atom)
        default: return false
        }
        return true
    }

    /// The base inside an element; a base that leads nowhere is ignored.
    private func base(_ attributes: [(name: String, value: String)]) -> SourceURL {
        let outer = open.last?.base ?? address
        guard let given = attributes.first(where: { $0.name == "xml:base" })?.value else {
            return outer
        }
        do throws(SourceURLError) {
            return try outer.resolving(FieldValue(given.trimmed))
        } catch {
            return outer
        }
    }

    private func beginItem(at offset: Int) {
        count += 1
        guard count <= Feed.itemsAtMost else {
            feed?.isCut = true
            return
        }
        draft = ItemDraft(offset: offset)
        itemDepth = open.count
    }

    private func beginInItem(
        _ element: FeedName, _ attributes: [(name: String, value: String)], parent: FeedName
    ) {
        let isDirect = open.count == itemDepth + 1
        let isInGroup =
            open.count == itemDepth + 2 && parent == FeedName("media:group", prefixes: [:])
        guard isDirect || isInGroup, let format = feed?.format, let base = open.last?.base
        else { return }
        let values = FeedAttributes(attributes)
        if let file = values.mediaFile(of: element, base) {
            if draft.map({ $0.media.count < ItemDraft.filesAtMost }) == true {
                let place = values["isdefault"] == "true" ? 0 : draft?.media.count ?? 0
                draft?.media.insert(file, at: place)
            }
        } else if isDirect, let file = values.file(of: element, in: format, base) {
            if draft.map({ $0.files.count < ItemDraft.filesAtMost }) == true {
                draft?.files.append(file)
            }
        } else if isDirect, let field = element.itemField(in: format) {
            capture = Capture(field: field, depth: open.count)
        }
    }

    private func take(_ field: FeedField, _ text: String) {
        switch field {
        case .itemTitle: if draft?.title.isEmpty == true { draft?.title = text }
        case .guid: if draft?.guid.isEmpty == true { draft?.guid = text }
        case .date(let rank): draft?.take(date: text, rank: rank)
        default: feed?.take(field, text)
        }
    }

    private func finishItem() {
        guard let finished = draft else { return }
        draft = nil
        let (item, reason) = finished.finished()
        if let item { feed?.items.append(item) }
        if let reason, leftOut.count < LeftOutItem.atMost {
            leftOut.append((reason, finished.offset))
        }
    }
}
