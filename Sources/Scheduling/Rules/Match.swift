// Selects the downloads that a rule or a budget applies to.
internal import Base
internal import Downloads

/// The members of `match`: all given ones have to hold; in a list one suffices; without members it
/// selects everything.
package struct Match: Equatable, Sendable {
    /// A range that includes its lower end and excludes its upper one.
    struct Span: Equatable, Sendable {
        var min: Double?
        var max: Double?

        func contains(_ value: Double) -> Bool {
            value >= min ?? -.infinity && value < max ?? .infinity
        }
    }

    var isDiscretionary: Bool?
    var allowsExpensive: Bool?
    var allowsConstrained: Bool?
    var classes: [SchedulingClass] = []
    var apps: [Glob] = []
    var sessions: [Glob] = []
    var origins: [OriginPattern] = []
    var priority: Span?
    var expectedBytes: Span?
    var metadata: [MetadataPattern] = []

    /// A pattern that a value of the metadata has to match.
    struct MetadataPattern: Hashable, Sendable {
        let key: KeyText
        let value: Glob
    }

    /// A match of everything.
    package init() {}

    /// Whether it depends on the name of an origin.
    var needsOrigin: Bool { !origins.isEmpty }

    /// Whether it depends on values in which downloads of one lane may differ.
    var needsFacet: Bool { expectedBytes != nil || !metadata.isEmpty }

    /// Whether it selects the download.
    ///
    /// - Returns: `unknown` where a member of it is not known, with the reason if it is not meant.
    package func judge(_ candidate: AdmissionCandidate) -> (truth: Truth, because: String?) {
        var truth = Truth.met
        for (found, because) in judgements(candidate) {
            if found == .unmet { return (.unmet, because()) }
            truth = truth.and(found)
        }
        return (truth, nil)
    }

    private func judgements(
        _ candidate: AdmissionCandidate
    ) -> [(Truth, () -> String)] {
        var found: [(Truth, () -> String)] = []
        if let wanted = isDiscretionary {
            found.append(
                (
                    Truth(wanted == candidate.isDiscretionary),
                    { "it is \(candidate.isDiscretionary ? "" : "not ")discretionary" }
                ))
        }
        for (wanted, flag, kind) in [
            (allowsExpensive, LaneFlags.expensive, "an expensive"),
            (allowsConstrained, LaneFlags.constrained, "a constrained"),
        ] {
            guard let wanted else { continue }
            let mayUse = candidate.laneFlags.contains(flag)
            found.append(
                (
                    Truth(wanted == mayUse),
                    { "it may \(mayUse ? "" : "not ")use \(kind) network" }
                ))
        }
        if !classes.isEmpty {
            let own: SchedulingClass = candidate.isDiscretionary ? .discretionary : .normal
            found.append((Truth(classes.contains(own)), { "its class is \(own.word)" }))
        }
        if !apps.isEmpty {
            let truth =
                candidate.app.isEmpty
                ? .unknown : Truth(apps.contains { $0.matches(candidate.app) })
            found.append((truth, { "its app is \"\(candidate.app)\"" }))
        }
        if !sessions.isEmpty {
            found.append(
                (
                    Truth(sessions.contains { $0.matches(candidate.session) }),
                    { "its session is \"\(candidate.session)\"" }
                ))
        }
        if !origins.isEmpty {
            let place = candidate.originName.flatMap { OriginPattern.authority(of: $0) }
            let truth = place.map { host, port in
                Truth(origins.contains { $0.narrowness(host: host, port: port) != nil })
            }
            found.append(
                (truth ?? .unknown, { "its origin is \(candidate.originName ?? "not known")" }))
        }
        return found + memberJudgements(candidate)
    }

    /// Judgements by values in which downloads of one lane may differ.
    private func memberJudgements(
        _ candidate: AdmissionCandidate
    ) -> [(Truth, () -> String)] {
        var found: [(Truth, () -> String)] = []
        if let priority {
            found.append(
                (
                    Match.truth(priority, ofRank: candidate.rank),
                    { "its priority is outside the range" }
                ))
        }
        guard needsFacet else { return found }
        guard let members = candidate.members else {
            return found
                + laneJudgements(candidate.facet).map { truth in
                    (truth, { "no download of its lane matches" })
                }
        }
        if let expectedBytes {
            // A download of unknown size is in no range.
            let bytes = members.expectedBytes
            found.append(
                (
                    Truth(bytes.map { expectedBytes.contains(Double($0)) } ?? false),
                    {
                        bytes.map { "it expects \(ByteCount.print($0))" }
                            ?? "its size is not known"
                    }
                ))
        }
        for pattern in metadata {
            let value = members.metadata[pattern.key.text]?.stringValue
            found.append(
                (
                    Truth(value.map { pattern.value.matches($0) } ?? false),
                    { "its metadata has \(value.map { "\"\($0)\"" } ?? "no") \(pattern.key)" }
                ))
        }
        return found
    }

    /// Judgements by the facts that a lane has about all its downloads.
    private func laneJudgements(_ facet: Facet) -> [Truth] {
        (expectedBytes.map { [facet.truth(of: $0)] } ?? [])
            + metadata.map { facet.truth(of: $0) }
    }

    /// Whether a range of priorities includes a rank, which is a quarter of them.
    private static func truth(_ span: Span, ofRank rank: Int) -> Truth {
        let top = 1 - Double(rank) / 4
        let bottom = rank >= 3 ? 0 : top - 0.25
        // The upper end belongs to the rank, the lower one does not, except for the last rank.
        let holdsTop = span.contains(top)
        let holdsBottom = span.contains(rank >= 3 ? bottom : bottom.nextUp)
        if holdsTop && holdsBottom { return .met }
        let isApart = top < span.min ?? -.infinity || bottom.nextUp >= span.max ?? .infinity
        return isApart ? .unmet : .unknown
    }

    /// Whether two matches certainly select no download in common.
    func excludes(_ other: Match) -> Bool {
        if let mine = isDiscretionary, let theirs = other.isDiscretionary, mine != theirs {
            return true
        }
        for (mine, theirs) in [
            (allowsExpensive, other.allowsExpensive), (allowsConstrained, other.allowsConstrained),
        ] {
            if let mine, let theirs, mine != theirs { return true }
        }
        func areApart(_ mine: [Glob], _ theirs: [Glob]) -> Bool {
            guard !mine.isEmpty, !theirs.isEmpty, (mine + theirs).allSatisfy(\.isExact) else {
                return false
            }
            return Set(mine).isDisjoint(with: theirs)
        }
        return areApart(sessions, other.sessions) || areApart(apps, other.apps)
    }
}
