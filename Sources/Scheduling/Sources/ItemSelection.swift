internal import Base
package import Downloads

/// Which items of a feed a source fetches, and how it knows them again.
package struct ItemSelection: Equatable, Sendable {
    /// By what an item is known for ever.
    package enum Key: String, CaseIterable, Sendable {
        /// The name that its publisher gave it; without one, the address of its file.
        case guid
        /// The address of its file.
        case url
    }

    /// What the first look at a feed fetches.
    package enum First: String, CaseIterable, Sendable {
        /// The newest item.
        case latest
        /// Every item.
        case all
        /// None: what is there counts as known.
        case none
    }

    /// The most keys of a source.
    package static let keysAtMost = 100_000

    /// Only items with such a title, in which `*` stands for any characters; nil for all.
    package var title: Glob?
    /// Only the newest ones of the feed, 1 to 2,000; nil for all.
    ///
    /// Older ones count as known.
    package var newest: Int?
    /// Only files of such a media type, in which `*` stands for any characters; nil for all.
    package var type: Glob?
    /// Only files of at most so many bytes, as the feed says; nil for all.
    ///
    /// A file of an unknown length counts as short enough.
    package var maxBytes: Int64?
    /// By what an item is known.
    package var key: Key
    /// What the first look fetches.
    package var first: First
    /// The time from the begin of one item to that of the next, 0 or more.
    package var spacing: Duration

    /// Creates a selection; without arguments that of a source that names none.
    package init(
        title: Glob? = nil, newest: Int? = nil, type: Glob? = nil, maxBytes: Int64? = nil,
        key: Key = .guid, first: First = .latest, spacing: Duration = .zero
    ) {
        precondition(newest.map { $0 >= 1 } ?? true, "none of a feed is no selection")
        precondition(spacing >= .zero, "an item does not begin before the one before it")
        self.title = title
        self.newest = newest
        self.type = type
        self.maxBytes = maxBytes
        self.key = key
        self.first = first
        self.spacing = spacing
    }

    /// The items that a look at a feed queues, and the keys that it adds.
    ///
    /// An item is fetched once for ever: its key is to be written with its download. Of several
    /// items of the feed with one key the newest counts.
    ///
    /// - Parameters:
    ///   - feed: the feed as it is now.
    ///   - known: which keys of the feed are known; nil at the first look.
    /// - Returns: the items to be fetched, and the keys to be written.
    /// - Complexity: O(n log n) with the number of items.
    package func plan(_ feed: Feed, known: Set<String>?) -> ItemPlan {
        var plan = ItemPlan()
        var seen: Set<String> = []
        var rank = 0
        for item in ItemSelection.newestFirst(feed.items) {
            let enclosure = matching(item)
            let key = key(of: item, enclosure ?? item.enclosures[0])
            guard seen.insert(key).inserted else {
                plan.repeated += 1
                continue
            }
            if let known, known.contains(key) {
                if enclosure != nil { rank += 1 }
                continue
            }
            guard let enclosure else {
                // What does not match is looked at again, unless it was there before the source.
                if known == nil, first != .all {
                    plan.passedOver.append(
                        ChosenItem(key: key, item: item, enclosure: item.enclosures[0]))
                }
                continue
            }
            rank += 1
            let isWanted = known != nil || first == .all || first == .latest && rank == 1
            let choice = ChosenItem(key: key, item: item, enclosure: enclosure)
            if isWanted, rank <= newest ?? .max {
                plan.chosen.append(choice)
            } else {
                plan.passedOver.append(choice)
            }
        }
        plan.chosen.reverse()
        for place in plan.chosen.indices { plan.chosen[place].delay = spacing * place }
        return plan
    }

    /// The keys of all items of a feed, by which the known ones are looked up.
    package func keys(of feed: Feed) -> Set<String> {
        Set(feed.items.map { key(of: $0, matching($0) ?? $0.enclosures[0]) })
    }

    /// The keys that have to go before new ones are written.
    ///
    /// - Parameters:
    ///   - oldest: the oldest keys of the source, the oldest first: all of them, or at least as
    ///     many as the feed has and are written together.
    ///   - count: how many keys the source has.
    ///   - feed: the keys that the feed has now, which stay.
    ///   - adding: how many new ones are written, at most `Feed.itemsAtMost`.
    /// - Returns: the oldest keys that the feed no longer has, no more than needed.
    package static func excess(
        of oldest: [String], among count: Int, in feed: Set<String>, adding: Int
    ) -> [String] {
        let many = count + adding - keysAtMost
        guard many > 0 else { return [] }
        return Array(oldest.lazy.filter { !feed.contains($0) }.prefix(many))
    }

    /// The first file of an item that is wanted; nil if the item is not.
    private func matching(_ item: FeedItem) -> Enclosure? {
        if let title, !title.matches(item.title) { return nil }
        return item.enclosures.first { enclosure in
            if let type, !type.matches(enclosure.type ?? "") { return false }
            if let maxBytes, let length = enclosure.length, length > maxBytes { return false }
            return true
        }
    }

    private func key(of item: FeedItem, _ enclosure: Enclosure) -> String {
        key == .guid ? item.guid ?? enclosure.url.description : enclosure.url.description
    }

    /// The items by their dates; a feed in which one has no date is taken as ordered.
    private static func newestFirst(_ items: [FeedItem]) -> [FeedItem] {
        let dated = items.enumerated().compactMap { place, item in
            item.date.map { (item: item, date: $0, place: place) }
        }
        guard dated.count == items.count else { return items }
        return dated.sorted { ($1.date, $0.place) < ($0.date, $1.place) }.map(\.item)
    }
}
