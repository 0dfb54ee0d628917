// Several addresses of the same bytes: what is known of each.

/// What tells one version of a representation from another.
package struct Validators: Equatable, Sendable {
    /// The strong ETag.
    package var etag: String?
    /// The date, where it is old enough to be a validator.
    package var lastModified: String?
    /// The whole's digest, where the origin named it.
    package var digest: ExpectedDigest?

    /// Nothing is known.
    package init() {}
}

/// The mirrors of one download, between its attempts: one is asked at a time, in rounds.
///
/// Mirror 0 is `url`, the others are `urls` in their order.
package struct MirrorBook: Equatable, Sendable {
    /// What is known of one mirror.
    package struct Page: Equatable, Sendable {
        /// Of the answer that brought its last bytes.
        package var validators = Validators()
        /// How it failed; kept beyond the round while it asked for time, or is out.
        package var failure: DownloadFailure?
        /// Whether it was asked in this round.
        package var isTried = false
        /// When it may be asked again, where it said so.
        package var until: Timestamp?
        /// How often a file of its bytes alone was not what the client expects.
        package var misses: Int64 = 0

        /// Whether it is never asked again.
        package var isOut: Bool { misses >= MirrorBook.missesAtMost }

        /// A mirror that nobody asked yet.
        package init() {}
    }

    /// So many misses rule a mirror out; a whole file from one answer counts for all of them.
    package static let missesAtMost: Int64 = 2

    /// The one that is asked now, or next.
    package internal(set) var current = 0
    /// One for each mirror.
    package var pages: [Page]
    /// Whose bytes are kept, rising.
    package internal(set) var sources: [Int] = []
    /// Whether bytes of two mirrors did not fit together, so that a file comes from one.
    package internal(set) var isAlone = false
    /// Whether an attempt of this round brought bytes.
    package internal(set) var hasProgress = false

    /// A download that nobody asked for yet.
    ///
    /// - Parameter count: how many mirrors there are, at least 1.
    package init(count: Int) {
        precondition(count > 0, "a download has a URL")
        pages = Array(repeating: Page(), count: count)
    }

    /// The answer of the current mirror is taken.
    ///
    /// - Parameter isContinued: whether it goes behind bytes that are here.
    package mutating func took(isContinued: Bool) {
        if !isContinued { sources = [] }
        if !sources.contains(current) { sources = (sources + [current]).sorted() }
    }

    /// Origins are left alone because of what they said to other downloads.
    ///
    /// - Parameters:
    ///   - until: for each mirror, nil where its origin may be asked.
    ///   - now: the database's clock.
    package mutating func learn(_ until: [Timestamp?], now: Timestamp) {
        for (place, until) in zip(pages.indices, until) where place != current {
            guard let until, until > now, !pages[place].isOut, !pages[place].isTried else {
                continue
            }
            pages[place].until = until
            pages[place].failure = pages[place].failure ?? .originPushback
        }
    }
}

extension MirrorBook {
    /// Reads what `json` wrote; nil if it is something else.
    package init?(stored value: JSON?) {
        guard let object = value?.objectValue, let list = object["pages"]?.arrayValue,
            !list.isEmpty, let current = object["current"]?.integerValue,
            (0..<Int64(list.count)).contains(current)
        else { return nil }
        self.current = Int(current)
        pages = list.map { Page(stored: $0) }
        let sources = object["sources"]?.arrayValue ?? []
        self.sources = sources.compactMap { $0.integerValue.map { Int($0) } }
        isAlone = object["alone"]?.boolValue ?? false
        hasProgress = object["progress"]?.boolValue ?? false
    }

    /// What the store keeps.
    package var json: JSON {
        var object: JSONObject = [
            "current": .integer(Int64(current)), "pages": .array(pages.map(\.json)),
        ]
        if !sources.isEmpty { object["sources"] = .array(sources.map { .integer(Int64($0)) }) }
        if isAlone { object["alone"] = true }
        if hasProgress { object["progress"] = true }
        return .object(object)
    }
}

extension MirrorBook.Page {
    fileprivate init(stored value: JSON) {
        validators.etag = value["etag"]?.stringValue
        validators.lastModified = value["last_modified"]?.stringValue
        if let text = value["digest"]?.stringValue {
            // One that this version does not know is not checked.
            do throws(DigestError) { validators.digest = try ExpectedDigest(text) } catch {}
        }
        failure = value["failure"].flatMap(DownloadFailure.init(stored:))
        isTried = value["tried"]?.boolValue ?? false
        until = value["until"]?.stringValue.flatMap { Timestamp(rfc3339: $0) }
        misses = value["misses"]?.integerValue ?? 0
    }

    fileprivate var json: JSON {
        var object = JSONObject()
        object["etag"] = validators.etag.map { .string($0) }
        object["last_modified"] = validators.lastModified.map { .string($0) }
        object["digest"] = validators.digest.map { .string($0.text) }
        object["failure"] = failure?.json
        if isTried { object["tried"] = true }
        object["until"] = until.map { .string($0.rfc3339) }
        if misses > 0 { object["misses"] = .integer(misses) }
        return .object(object)
    }
}

extension DownloadFailure {
    /// A mirror was not asked: its origin had asked for time.
    static let originPushback = DownloadFailure(
        .pushback, code: .httpStatus, detail: "the origin asked for time", isRetryable: true)

    /// Reads what `json` wrote; nil if it is something else.
    package init?(stored value: JSON) {
        guard let kind = value["class"]?.stringValue.flatMap(FailureClass.init),
            let code = value["code"]?.stringValue.flatMap(FailureCode.init)
        else { return nil }
        self.init(
            kind, code: code, detail: value["detail"]?.stringValue ?? "",
            isRetryable: value["retryable"]?.boolValue ?? false,
            httpStatus: value["http_status"]?.integerValue.map { Int($0) })
    }
}
