// Several addresses of one content, and the state of each.
package import Base

/// The mirrors of one download, between its attempts: one is asked at a time, in rounds.
///
/// Mirror 0 is `url`, the others are `urls` in their order.
package struct MirrorBook: Equatable, Sendable {
    /// The state of one mirror.
    package struct MirrorState: Equatable, Sendable {
        /// The validators of the answer that brought its last bytes.
        package var validators = Validators()
        /// Its failure; kept beyond the round while it asked for time or is excluded.
        package var failure: DownloadFailure?
        /// Whether it was asked in this round.
        package var isTried = false
        /// The time at which it may be asked again, by its Retry-After.
        package var until: Timestamp?
        /// The number of times that a file of its bytes alone differed from the one that the client
        /// expects.
        package var misses: Int64 = 0
        /// Whether it was passed over because it announced another length or digest than that of
        /// the bytes that are here.
        package var isOtherContent = false

        /// Whether it is excluded for good.
        package var isOut: Bool { misses >= MirrorBook.missesAtMost }

        /// A mirror that was not asked yet.
        package init() {}
    }

    /// The number of misses that exclude a mirror; a wrong whole file from one answer counts for
    /// all of them.
    package static let missesAtMost: Int64 = 2

    /// The index of the mirror in use, or used next.
    package internal(set) var current = 0
    /// The state of each mirror.
    package var states: [MirrorState]
    /// The indices of the mirrors that brought the kept bytes, rising.
    package internal(set) var sources: [Int] = []
    /// Whether bytes of two mirrors did not fit together, so that the whole file has to come from
    /// one.
    package internal(set) var isAlone = false
    /// Whether an attempt of this round brought bytes.
    package internal(set) var hasProgress = false

    /// The mirrors of a download without a request so far.
    ///
    /// - Parameter count: how many mirrors there are, at least 1.
    package init(count: Int) {
        precondition(count > 0, "a download has a URL")
        states = Array(repeating: MirrorState(), count: count)
    }

    /// Notes that the answer of the current mirror is taken.
    ///
    /// - Parameter isContinued: whether it goes behind bytes that are here.
    package mutating func took(isContinued: Bool) {
        if !isContinued { sources = [] }
        if !sources.contains(current) { sources = (sources + [current]).sorted() }
    }

    /// Whether to pass over the current mirror, because it announces another length or digest than
    /// that of the bytes that are here: once, then it may restart the file.
    ///
    /// - Parameters:
    ///   - point: what is here.
    ///   - facts: what it answered.
    /// - Returns: why it is passed over, or nil.
    package mutating func otherContent(
        than point: ResumePoint, _ facts: ResponseFacts
    ) -> DownloadFailure? {
        guard [200, 203, 206, 416].contains(facts.status), point.offset >= ResumeRules.worthAsking,
            isForeign(point), !states[current].isOtherContent,
            let reason = point.claims.contradiction(ofContentTo: RepresentationClaims(facts))
        else { return nil }
        let isLength = point.claims.hasAnotherLength(than: RepresentationClaims(facts))
        states[current].isOtherContent = true
        return DownloadFailure(
            .network, code: isLength ? .sizeMismatch : .sourceChanged,
            detail: "this mirror has \(reason), and \(point.offset) bytes were received from other "
                + "mirrors",
            isRetryable: true)
    }

    /// Whether the bytes that are here came from other mirrors, and this one's validators are
    /// unknown.
    package func isForeign(_ point: ResumePoint) -> Bool {
        point.ifRange == nil && sources != [current]
    }

    /// Notes that origins are under a Retry-After that other downloads received.
    ///
    /// - Parameters:
    ///   - until: for each mirror, nil where its origin may be asked.
    ///   - now: the database's clock.
    package mutating func notePushbacks(_ until: [Timestamp?], now: Timestamp) {
        for (place, until) in zip(states.indices, until) where place != current {
            guard let until, until > now, !states[place].isOut, !states[place].isTried else {
                continue
            }
            states[place].until = until
            states[place].failure = states[place].failure ?? .originPushback
        }
    }
}

extension MirrorBook {
    /// Reads the stored form; nil if it is something else.
    package init?(stored value: JSON?) {
        guard let object = value?.objectValue, let list = object["pages"]?.arrayValue,
            !list.isEmpty, let current = object["current"]?.integerValue,
            (0..<Int64(list.count)).contains(current)
        else { return nil }
        self.current = Int(current)
        states = list.map { MirrorState(stored: $0) }
        let sources = object["sources"]?.arrayValue ?? []
        self.sources = sources.compactMap { $0.integerValue.map { Int($0) } }
        isAlone = object["alone"]?.boolValue ?? false
        hasProgress = object["progress"]?.boolValue ?? false
    }

    /// The stored form.
    package var json: JSON {
        var object: JSONObject = [
            "current": .integer(Int64(current)), "pages": .array(states.map(\.json)),
        ]
        if !sources.isEmpty { object["sources"] = .array(sources.map { .integer(Int64($0)) }) }
        if isAlone { object["alone"] = true }
        if hasProgress { object["progress"] = true }
        return .object(object)
    }
}

extension MirrorBook.MirrorState {
    fileprivate init(stored value: JSON) {
        validators = Validators(stored: value.objectValue ?? JSONObject())
        failure = value["failure"].flatMap(DownloadFailure.init(stored:))
        failure?.isUnreachable = value["unreachable"]?.boolValue ?? false
        isTried = value["tried"]?.boolValue ?? false
        until = value["until"]?.stringValue.flatMap { Timestamp(rfc3339: $0) }
        misses = value["misses"]?.integerValue ?? 0
        isOtherContent = value["other_content"]?.boolValue ?? false
    }

    fileprivate var json: JSON {
        var object = JSONObject()
        validators.write(to: &object)
        object["failure"] = failure?.tree
        if failure?.isUnreachable ?? false { object["unreachable"] = true }
        if isTried { object["tried"] = true }
        object["until"] = until.map { .string($0.rfc3339) }
        if misses > 0 { object["misses"] = .integer(misses) }
        if isOtherContent { object["other_content"] = true }
        return .object(object)
    }
}

extension DownloadFailure {
    /// The failure of a mirror that was not asked, because its origin had asked for time.
    static let originPushback = DownloadFailure(
        .pushback, code: .httpStatus,
        detail: "the origin asked to send no requests for a while",
        isRetryable: true)
}
