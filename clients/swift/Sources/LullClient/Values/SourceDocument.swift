// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// A source, as a client describes it.
public struct SourceDocument: Codable, Hashable, Sendable {
    /// The URL that each look asks for.
    public var url: String
    /// `file` (default): one file, whose versions are told apart by their digests.
    ///
    /// `feed`: RSS 2.0, Atom or JSON Feed, of which each item's file is fetched once. It cannot
    /// change.
    public var kind: Kind?
    /// When a source is looked at:
    ///
    /// `every` or `cron`. With `every`, at once and then once in each interval; with `cron`, at
    /// each of its instants on the clock of `time_zone`. If the hour field is `*`, the clock is
    /// followed as it goes. Otherwise a time that does not exist when clocks are put forward comes
    /// once at the end of the gap, and one that exists twice comes the first time.
    public var schedule: LookSchedule
    /// What happens at an instant whose look before it has not ended: it is passed over, its look
    /// waits (one at most), or the running look is canceled.
    ///
    /// A look that has failed an attempt gives up for the next one in any case.
    public var overlap: Overlap?
    /// Which instants get a look that passed while the service was down: the last one, all that are
    /// younger than `catch_up_window`, one after another, or none.
    ///
    /// What passed during a suspension gets none.
    public var catchUp: CatchUp?
    /// A duration of 60 s to 366 d; a day if it is absent.
    public var catchUpWindow: String?
    /// The members of each look's download, as `POST /v1/downloads` takes them, but for `url`,
    /// `external_id`, `resume_data`, dates, `suspended` and `if_…`.
    ///
    /// Values of secrets are kept sealed and belong to the origin of `url`. A `path` of a folder
    /// has to contain `{version}`, which stands for the number of the version, unless an
    /// `on_conflict` is given. Of a feed these are the members of its items' downloads, and
    /// `{version}` is the number of the item; items of another origin get no secrets.
    public var template: NewDownload?
    /// Which items of a feed are fetched.
    ///
    /// In `title` and `type` a `*` stands for any characters. Items that do not match are judged
    /// anew at each look; those older than the `newest` ones count as known.
    public var select: ItemSelect?
    /// Of a feed: what an item is known by for ever, its `guid` (without one the address of its
    /// file), or the `url` of its file.
    ///
    /// `guid` if it is absent.
    public var key: SourceDocumentKey?
    /// Of a feed, what the first look fetches, the newest item (default), all, or none.
    public var first: First?
    /// Of a feed: the time from the earliest begin of an item to that of the next one, for items
    /// that one look queues, the oldest first; a duration of at most 7 d, 0 if it is absent.
    public var spacing: String?
    /// How long versions are held, in place of `content_retention`: while they are among the `last`
    /// ones, or younger than `for`.
    public var keep: SourceKeep?
    /// `wake`: a new version and a failed look wake the client of the session, if that can be
    /// woken; otherwise looks wake nobody.
    public var notify: Notify?

    /// Makes one of its members; those that are left out are nil.
    public init(
        url: String,
        schedule: LookSchedule,
        kind: Kind? = nil,
        overlap: Overlap? = nil,
        catchUp: CatchUp? = nil,
        catchUpWindow: String? = nil,
        template: NewDownload? = nil,
        select: ItemSelect? = nil,
        key: SourceDocumentKey? = nil,
        first: First? = nil,
        spacing: String? = nil,
        keep: SourceKeep? = nil,
        notify: Notify? = nil
    ) {
        self.url = url
        self.kind = kind
        self.schedule = schedule
        self.overlap = overlap
        self.catchUp = catchUp
        self.catchUpWindow = catchUpWindow
        self.template = template
        self.select = select
        self.key = key
        self.first = first
        self.spacing = spacing
        self.keep = keep
        self.notify = notify
    }

    private enum CodingKeys: String, CodingKey {
        case url
        case kind
        case schedule
        case overlap
        case catchUp = "catch_up"
        case catchUpWindow = "catch_up_window"
        case template
        case select
        case key
        case first
        case spacing
        case keep
        case notify
    }

    /// `file` (default): one file, whose versions are told apart by their digests.
    ///
    /// `feed`: RSS 2.0, Atom or JSON Feed, of which each item's file is fetched once. It cannot
    /// change.
    public struct Kind: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `file`.
        public static let file = Kind(rawValue: "file")

        /// `feed`.
        public static let feed = Kind(rawValue: "feed")
    }

    /// What happens at an instant whose look before it has not ended: it is passed over, its look
    /// waits (one at most), or the running look is canceled.
    ///
    /// A look that has failed an attempt gives up for the next one in any case.
    public struct Overlap: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `skip`.
        public static let skip = Overlap(rawValue: "skip")

        /// `queue_one`.
        public static let queueOne = Overlap(rawValue: "queue_one")

        /// `cancel_other`.
        public static let cancelOther = Overlap(rawValue: "cancel_other")
    }

    /// Which instants get a look that passed while the service was down: the last one, all that are
    /// younger than `catch_up_window`, one after another, or none.
    ///
    /// What passed during a suspension gets none.
    public struct CatchUp: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `latest`.
        public static let latest = CatchUp(rawValue: "latest")

        /// `all`.
        public static let all = CatchUp(rawValue: "all")

        /// `none`.
        public static let none = CatchUp(rawValue: "none")
    }

    /// Of a feed: what an item is known by for ever, its `guid` (without one the address of its
    /// file), or the `url` of its file.
    ///
    /// `guid` if it is absent.
    public struct SourceDocumentKey: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `guid`.
        public static let guid = SourceDocumentKey(rawValue: "guid")

        /// `url`.
        public static let url = SourceDocumentKey(rawValue: "url")
    }

    /// Of a feed, what the first look fetches, the newest item (default), all, or none.
    public struct First: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `latest`.
        public static let latest = First(rawValue: "latest")

        /// `all`.
        public static let all = First(rawValue: "all")

        /// `none`.
        public static let none = First(rawValue: "none")
    }

    /// `wake`: a new version and a failed look wake the client of the session, if that can be
    /// woken; otherwise looks wake nobody.
    public struct Notify: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `wake`.
        public static let wake = Notify(rawValue: "wake")
    }
}
