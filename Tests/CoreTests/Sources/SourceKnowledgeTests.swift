// What a source knows of its file: the condition of each look, and what its result changes.
import Base
import Downloads
import Scheduling
import Testing

@Suite struct SourceKnowledgeTests {
    private static let start = Timestamp(seconds: 1_800_000_000)
    private static let download = Identifier(high: 1, low: 2)
    private static let day: Int64 = 86_400

    private static func finding(
        _ digest: String?, etag: String? = "\"a\"", isNotModified: Bool = false
    ) -> SourceKnowledge.Finding {
        SourceKnowledge.Finding(
            sha256: digest, etag: etag, lastModified: nil, origin: "https://a.example:443",
            isNotModified: isNotModified)
    }

    @Test(
        arguments: [
            // Seconds since the look before, whether that look succeeded, and whether this one is
            // without validators.
            [(0, true, true), (60, true, false), (6 * day, true, false), (day, true, true)],
            [(0, true, true), (7 * day - 1, true, false), (1, true, true), (1, true, false)],
            [(0, false, true), (60, false, true), (60, true, true), (60, true, false)],
            [(0, true, true), (7 * day, false, true), (60, true, true), (60, false, false)],
            [(0, true, true), (60, false, false), (60, true, false), (30 * day, true, true)],
        ] as [[(Int64, Bool, Bool)]])
    func onceAWeekALookSucceedsWithoutValidators(_ looks: [(Int64, Bool, Bool)]) {
        var (timetable, now) = (SourceTimetable(), Self.start)
        for (place, look) in looks.enumerated() {
            now = now + .seconds(look.0)
            _ = timetable.ask(at: now)
            let turn = timetable.turn(at: now, SourceTimetable.Rules()) { _ in nil }
            #expect(turn.start?.isFull == look.2, "look \(place)")
            guard let start = turn.start else { return }
            timetable.begin(start, as: Self.download, at: now)
            _ = timetable.end(look.1 ? .unchanged304 : .failed, at: now) { _ in nil }
        }
    }

    @Test func aConditionHasTheLatestDigestAndTheValidatorsOfItsAnswer() {
        var known = SourceKnowledge()
        #expect(known.condition(isFull: false) == nil)
        var outcome = known.learn(Self.finding("d1"), of: Self.download, at: Self.start)
        #expect(outcome == .changed && known.version == 1)
        #expect(known.condition(isFull: false)?.etag == "\"a\"")
        #expect(known.condition(isFull: false)?.origin == "https://a.example:443")
        #expect(known.condition(isFull: true)?.hasValidators == false)
        #expect(known.condition(isFull: true)?.digest == "d1")
        outcome = known.learn(
            Self.finding(nil, etag: nil, isNotModified: true), of: Self.download, at: Self.start)
        #expect(outcome == .unchanged304 && known.condition(isFull: false)?.etag == "\"a\"")
        outcome = known.learn(Self.finding("d1", etag: "b"), of: Self.download, at: Self.start)
        // An entity tag without quotes is none, and is not sent.
        #expect(outcome == .unchangedDigest && known.condition(isFull: false)?.etag == nil)
        outcome = known.learn(Self.finding("d2"), of: Self.download, at: Self.start)
        #expect(outcome == .changed && known.version == 2)
        known.forgetValidators(of: .file)
        #expect(known.condition(isFull: false)?.hasValidators == false)
        #expect(known.condition(isFull: false)?.digest == "d2")
    }
}
