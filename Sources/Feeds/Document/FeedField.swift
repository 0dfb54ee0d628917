// The texts of a feed that count, by their elements.
internal import Base
internal import Downloads

/// A text of a feed that counts.
enum FeedField: Equatable {
    /// The title of the feed.
    case title
    /// How many minutes the feed may be kept.
    case ttl
    /// An hour in which the feed need not be looked at.
    case skipHour
    /// A day on which the feed need not be looked at.
    case skipDay
    /// The title of an item.
    case itemTitle
    /// The name of an item.
    case guid
    /// A date of an item; the one with the highest rank counts.
    case date(rank: Int)
}

extension FeedName {
    /// Whether it begins an item of RSS.
    func isItem(in parent: FeedBuilder.Open) -> Bool {
        space != .media && word == "item" && ["channel", "rss"].contains(parent.name.word)
    }

    /// Whether it begins an item of Atom.
    func isEntry(in parent: FeedBuilder.Open) -> Bool {
        isOfAtom && word == "entry" && parent.name.word == "feed"
    }

    /// The text that an element of an item has.
    func itemField(in format: Feed.Format) -> FeedField? {
        if space == .dublinCore { return word == "date" ? .date(rank: 2) : nil }
        if format == .atom {
            guard isOfAtom else { return nil }
            switch word {
            case "title": return .itemTitle
            case "id": return .guid
            case "published", "issued": return .date(rank: 3)
            case "updated", "modified": return .date(rank: 1)
            default: return nil
            }
        }
        switch (space, word) {
        case (.none, "title"): return .itemTitle
        case (.none, "guid"): return .guid
        case (.none, "pubdate"): return .date(rank: 3)
        case (.atom, "published"), (.atom, "updated"): return .date(rank: 1)
        default: return nil
        }
    }

    /// Whether it is a name of Atom, in a document whose root is that of Atom.
    private var isOfAtom: Bool { space == .atom || space == .none }
}

extension Feed {
    /// The text that an element beside the items has.
    ///
    /// - Parameters:
    ///   - element: the name of the element.
    ///   - outer: the names of the elements around it, the root first.
    /// - Returns: nil for an element that does not count.
    func field(of element: FeedName, in outer: [FeedName]) -> FeedField? {
        let path = outer.map(\.word) + [element.word]
        guard element.space == .none || element.space == .atom && format == .atom else {
            return nil
        }
        if format == .atom { return path == ["feed", "title"] ? .title : nil }
        switch path {
        case ["rss", "channel", "title"]: return .title
        case ["rss", "channel", "ttl"]: return .ttl
        case ["rss", "channel", "skiphours", "hour"]: return .skipHour
        case ["rss", "channel", "skipdays", "day"]: return .skipDay
        default: return nil
        }
    }

    /// Takes a text beside the items; one without a sense is ignored.
    mutating func take(_ field: FeedField, _ text: String) {
        switch field {
        case .title:
            if title.isEmpty {
                title = String(text.oneLine.shown.prefix(ItemDraft.titleAtMost))
            }
        case .ttl:
            guard let minutes = Int64(text.trimmed), (1...525_600).contains(minutes) else { return }
            ttl = minutes * 60
        case .skipHour:
            // Some feeds count the hours from 1.
            guard let hour = Int(text.trimmed), (0...24).contains(hour) else { return }
            skipHours.insert(hour % 24)
        case .skipDay:
            let name = text.trimmed.prefix(3).lowercased()
            guard let day = Weekday.allCases.first(where: { $0.shortName.lowercased() == name })
            else { return }
            skipDays.insert(day)
        case .itemTitle, .guid, .date: return
        }
    }
}
