// What a source knows of its file, so that content that is no longer held is not fetched again.
package import Base
package import Downloads

/// The latest version of a source's file, and the changes before it.
package struct SourceKnowledge: MemberList {
    /// The result of a look that succeeded.
    package struct Finding: Equatable, Sendable {
        /// The digest of the content in hexadecimal digits; nil after a 304.
        package var sha256: String?
        /// `ETag` of the answer.
        package var etag: String?
        /// `Last-Modified` of the answer.
        package var lastModified: String?
        /// The origin of the answer, `scheme://host:port`.
        package var origin: String?
        /// Whether the origin answered 304.
        package var isNotModified: Bool

        /// Creates a finding.
        package init(
            sha256: String?, etag: String?, lastModified: String?, origin: String? = nil,
            isNotModified: Bool = false
        ) {
            self.sha256 = sha256
            self.etag = etag
            self.lastModified = lastModified
            self.origin = origin
            self.isNotModified = isNotModified
        }
    }

    /// The number of the latest version; 0 before the first.
    package var version: Int64 = 0
    /// The digest of the latest version in hexadecimal digits.
    package var sha256: String?
    /// The download that brought the latest version.
    package var download: Identifier?
    /// `ETag` of the last answer with that content.
    package var etag: String?
    /// `Last-Modified` of the last answer with that content.
    package var lastModified: String?
    /// The origin of the answer that had these two, `scheme://host:port`.
    package var origin: String?
    /// The times at which the last versions were seen first, in their order.
    package var changes: [Timestamp] = []
    /// Whether a feed was read before.
    package var isRead = false
    /// The number of items of a feed that were queued.
    package var items: Int64 = 0

    /// The knowledge of a source that has not looked yet.
    package init() {}

    /// The blank value that reading fills in.
    package static let blank = SourceKnowledge()

    /// The members as they are stored.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("version", &version, usually: 0)
        members.visit("sha256", &sha256, .leftOut)
        members.visit("download", &download, .leftOut)
        members.visit("etag", &etag, .leftOut)
        members.visit("last_modified", &lastModified, .leftOut)
        members.visit("origin", &origin, .leftOut)
        members.visit("changes", &changes, usually: [])
        members.visit("is_read", &isRead, usually: false)
        members.visit("items", &items, usually: 0)
    }

    /// Forgets the validators, which are those of another request.
    ///
    /// The digest still tells whether a file is another one. That of a feed is forgotten as well,
    /// because a feed is read again although it has not changed.
    package mutating func forgetValidators(of kind: SourceKind) {
        (etag, lastModified, origin) = (nil, nil, nil)
        if kind == .feed { sha256 = nil }
    }

    /// The condition of the next look.
    ///
    /// A look that finds no change needs no file of its own, so the condition names no download.
    ///
    /// - Parameter isFull: whether the look sends no validators; digests are compared in any case.
    /// - Returns: nil before the first version.
    package func condition(isFull: Bool) -> ChangeCondition? {
        guard let sha256 else { return nil }
        var condition = ChangeCondition(etag: etag, lastModified: lastModified, digest: sha256)
        condition.origin = origin
        if isFull || origin == nil { condition.dropValidators() }
        return condition.sendable
    }

    /// Takes the result of a look in.
    ///
    /// - Parameters:
    ///   - finding: the result.
    ///   - download: the download of the look.
    ///   - now: the time of its end.
    /// - Returns: the outcome of the look.
    package mutating func learn(
        _ finding: Finding, of download: Identifier, at now: Timestamp
    ) -> LookOutcome {
        guard !finding.isNotModified, let digest = finding.sha256 else {
            etag = finding.etag ?? etag
            lastModified = finding.lastModified ?? lastModified
            return .unchanged304
        }
        (etag, lastModified, origin) = (finding.etag, finding.lastModified, finding.origin)
        guard digest != sha256 else { return .unchangedDigest }
        version += 1
        (sha256, self.download) = (digest, download)
        changes = changes.suffix(LearnedInterval.changesAtMost) + [now]
        return .changed
    }

    /// Takes in that a feed was read.
    ///
    /// - Parameters:
    ///   - finding: the answer that had it; nil if it is to be read again although it has not
    ///     changed.
    ///   - items: how many items were queued.
    ///   - download: the download of the look.
    ///   - now: the time of its end.
    /// - Returns: `changed` if an item was queued.
    package mutating func learn(
        feed finding: Finding?, items: Int64, of download: Identifier, at now: Timestamp
    ) -> LookOutcome {
        isRead = true
        self.items += items
        (etag, lastModified, origin) = (finding?.etag, finding?.lastModified, finding?.origin)
        sha256 = finding?.sha256
        guard items > 0 else { return .unchangedDigest }
        version += 1
        self.download = download
        changes = changes.suffix(LearnedInterval.changesAtMost) + [now]
        return .changed
    }
}
