// Which items of a feed a source fetches.
import Base
import Downloads
import Scheduling
import Seeds
import Testing

@Suite struct ItemSelectionTests {
    /// An item `number` of a day of that number; `.mp3` with a length of a thousand for each.
    private static func item(
        _ number: Int, guid: String? = "", title: String = "", date: Int? = nil,
        types: [String] = ["audio/mpeg"]
    ) throws -> FeedItem {
        let url = try SourceURL(parsing: "https://pod.example/\(number).mp3")
        return FeedItem(
            guid: guid == "" ? "g\(number)" : guid, title: title,
            date: Timestamp(seconds: Int64(date ?? number) * 86_400),
            enclosures: types.map { type in
                Enclosure(url: url, type: type, length: Int64(number) * 1000)
            })
    }

    private static func feed(_ items: [FeedItem]) -> Feed {
        var feed = Feed(format: .rss)
        feed.items = items
        return feed
    }

    /// Five items, the newest first: g5 to g1.
    private static func five() throws -> Feed {
        try feed((1...5).reversed().map { try item($0, title: "Show \($0)") })
    }

    @Test func theFirstLookFetchesWhatItIsTold() throws {
        let feed = try Self.five()
        let expected: [(ItemSelection.First, [String], Int)] = [
            (.latest, ["g5"], 4), (.all, ["g1", "g2", "g3", "g4", "g5"], 0), (.none, [], 5),
        ]
        for (first, chosen, passed) in expected {
            let plan = ItemSelection(first: first).plan(feed, known: nil)
            #expect(plan.chosen.map(\.key) == chosen)
            #expect(plan.passedOver.count == passed)
        }
    }

    @Test func laterLooksFetchWhatIsNotKnown() throws {
        let feed = try Self.five()
        let known: Set = ["g1", "g2", "g4"]
        for first in ItemSelection.First.allCases {
            let plan = ItemSelection(first: first).plan(feed, known: known)
            #expect(plan.chosen.map(\.key) == ["g3", "g5"])
            #expect(plan.passedOver.isEmpty)
        }
    }

    @Test func onlyWhatMatchesIsFetched() throws {
        let feed = try Self.five()
        let expected: [(ItemSelection, [String])] = [
            (ItemSelection(title: Glob("*4")), ["g4"]),
            (ItemSelection(title: Glob("Other*")), []),
            (ItemSelection(type: Glob("audio/*")), ["g1", "g2", "g3", "g4", "g5"]),
            (ItemSelection(type: Glob("video/*")), []),
            (ItemSelection(maxBytes: 2000), ["g1", "g2"]),
            (ItemSelection(maxBytes: 1999), ["g1"]),
            (ItemSelection(newest: 2), ["g4", "g5"]),
            (ItemSelection(title: Glob("Show *"), newest: 1, maxBytes: 3000), ["g3"]),
        ]
        for (selection, keys) in expected {
            #expect(selection.plan(feed, known: []).chosen.map(\.key) == keys)
        }
    }

    /// What was too old when it was new is not fetched when a newer item is taken back.
    @Test func whatIsOlderThanTheNewestIsPassedOver() throws {
        let selection = ItemSelection(newest: 2)
        let plan = selection.plan(try Self.five(), known: [])
        #expect(plan.passedOver.map(\.key) == ["g3", "g2", "g1"])
        let later = Self.feed(Array(try Self.five().items.dropFirst()))
        let known = Set((plan.passedOver + plan.chosen).map(\.key))
        #expect(selection.plan(later, known: known).chosen.isEmpty)
    }

    /// An item that does not match is judged anew at each look: its title may change.
    @Test func whatDoesNotMatchStaysUnknown() throws {
        let selection = ItemSelection(title: Glob("*final*"))
        var feed = Self.feed([try Self.item(1, title: "draft")])
        #expect(selection.plan(feed, known: []) == ItemPlan())
        feed.items[0].title = "final cut"
        #expect(selection.plan(feed, known: []).chosen.map(\.key) == ["g1"])
        let first = selection.plan(try Self.five(), known: nil)
        #expect(first.passedOver.count == 5, "what was there before the source is not fetched")
    }

    @Test func theFirstFittingFileOfAnItemIsFetched() throws {
        let feed = Self.feed([try Self.item(1, types: ["video/mp4", "audio/ogg", "audio/mpeg"])])
        let plan = ItemSelection(type: Glob("audio/*")).plan(feed, known: [])
        #expect(plan.chosen.map(\.enclosure.type) == ["audio/ogg"])
    }

    @Test func keysFollowTheirKind() throws {
        let feed = Self.feed([try Self.item(2), try Self.item(1, guid: nil)])
        #expect(ItemSelection().keys(of: feed) == ["g2", "https://pod.example/1.mp3"])
        #expect(
            ItemSelection(key: .url).keys(of: feed)
                == ["https://pod.example/2.mp3", "https://pod.example/1.mp3"])
    }

    @Test func ofSeveralItemsWithOneKeyTheNewestCounts() throws {
        let feed = Self.feed([
            try Self.item(1, guid: "same"), try Self.item(3, guid: "same"),
            try Self.item(2, guid: "same"),
        ])
        let plan = ItemSelection().plan(feed, known: [])
        #expect(plan.chosen.map(\.enclosure.url.description) == ["https://pod.example/3.mp3"])
        #expect(plan.repeated == 2)
        let byURL = ItemSelection(key: .url).plan(feed, known: [])
        #expect(byURL.chosen.count == 3 && byURL.repeated == 0)
    }

    @Test func aFeedWithAnItemWithoutADateIsTakenAsOrdered() throws {
        var feed = try Self.five()
        feed.items.reverse()
        #expect(ItemSelection(newest: 1).plan(feed, known: []).chosen.map(\.key) == ["g5"])
        feed.items[2].date = nil
        #expect(ItemSelection(newest: 1).plan(feed, known: []).chosen.map(\.key) == ["g1"])
    }

    @Test func spacingCountsFromTheOldest() throws {
        let plan = ItemSelection(first: .all, spacing: .seconds(600)).plan(
            try Self.five(), known: nil)
        #expect(plan.chosen.map(\.delay) == (0..<5).map { .seconds($0 * 600) })
    }

    @Test func theOldestKeysThatTheFeedNoLongerHasGoFirst() {
        let most = ItemSelection.keysAtMost
        let known = (0..<most).map { "k\($0)" }
        let feed: Set = ["k0", "k2", "new"]
        #expect(ItemSelection.excess(of: known, among: known.count, in: feed, adding: 0) == [])
        let excess = { (count: Int, adding: Int) in
            ItemSelection.excess(of: known, among: count, in: feed, adding: adding)
        }
        #expect(excess(known.count - 1, 1) == [])
        #expect(excess(known.count, 1) == ["k1"])
        #expect(excess(known.count, 3) == ["k1", "k3", "k4"])
        // The oldest ones alone give the same answer.
        let oldest = Array(known.prefix(5))
        #expect(
            ItemSelection.excess(of: oldest, among: known.count, in: feed, adding: 3)
                == ["k1", "k3", "k4"])
    }

    /// Over many looks at feeds that grow, shrink and repeat themselves each key is fetched once.
    @Test(arguments: 0..<20)
    func noKeyIsFetchedTwice(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let selection = ItemSelection(
            newest: [nil, 1, 5].randomElement(using: &random) ?? nil,
            key: ItemSelection.Key.allCases.randomElement(using: &random) ?? .guid,
            first: ItemSelection.First.allCases.randomElement(using: &random) ?? .all)
        var known: Set<String>?
        var fetched: [String] = []
        for look in 1...30 {
            let numbers = (max(1, look - 10)...look).filter { _ in Bool.random(using: &random) }
            let items = try numbers.reversed().map { try Self.item($0, guid: "g\($0 / 2)") }
            let feed = Self.feed(items)
            let plan = selection.plan(feed, known: known)
            let (keys, passed) = (plan.chosen.map(\.key), plan.passedOver.map(\.key))
            #expect(Set(keys).isDisjoint(with: passed))
            #expect(selection.keys(of: feed).isSuperset(of: keys + passed))
            fetched += keys
            known = (known ?? []).union(keys).union(passed)
        }
        #expect(fetched.count == Set(fetched).count)
    }
}

/// The members of a source that make a selection.
@Suite struct ItemSelectionMembersTests {
    private static func read(_ text: String) throws -> (ItemSelection, [String]) {
        let object = try #require(try JSON.parse(text).objectValue)
        var reader = FieldReader(object)
        let selection = ItemSelection(reading: &reader)
        return (selection, reader.finish().map(\.pointer).sorted())
    }

    @Test func missingMembersHaveTheirDefaults() throws {
        for text in ["{}", #"{"select":null,"key":null,"first":null,"spacing":null}"#] {
            let (selection, faults) = try Self.read(text)
            #expect(selection == ItemSelection() && faults.isEmpty)
        }
    }

    @Test(arguments: [
        #"{"select":{},"key":"guid","first":"latest","spacing":"0s"}"#,
        #"{"select":{"title":"*final*","newest":3,"type":"audio/*","max_bytes":5000000},"#
            + #""key":"url","first":"none","spacing":"7d"}"#,
        #"{"select":{"newest":2000},"key":"guid","first":"all","spacing":"1h30m"}"#,
    ])
    func whatIsWrittenIsReadAgain(_ text: String) throws {
        let (selection, faults) = try Self.read(text)
        #expect(faults.isEmpty)
        #expect(JSON.object(selection.json).text == text)
    }

    @Test(arguments: [
        (#"{"select":[]}"#, "#/select"), (#"{"select":{"newest":0}}"#, "#/select/newest"),
        (#"{"select":{"newest":2001}}"#, "#/select/newest"),
        (#"{"select":{"titel":"a"}}"#, "#/select/titel"),
        (#"{"select":{"max_bytes":0}}"#, "#/select/max_bytes"),
        (#"{"select":{"type":5}}"#, "#/select/type"), (#"{"key":"id"}"#, "#/key"),
        (#"{"first":"newest"}"#, "#/first"), (#"{"spacing":60}"#, "#/spacing"),
        (#"{"spacing":"soon"}"#, "#/spacing"),
        (#"{"spacing":"7d1s"}"#, "#/spacing"),
    ])
    func whatIsNoSelectionIsRefused(_ text: String, _ pointer: String) throws {
        #expect(try Self.read(text).1 == [pointer])
    }
}
