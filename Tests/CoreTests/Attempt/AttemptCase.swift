// One row of a table of tests: an origin's answers to one download, and the expected end.
import Base
import Downloads
import Testing

/// An origin's behaviour towards one download, and its end.
struct AttemptCase: CustomTestStringConvertible, Sendable {
    static let v1 = ModelVersion(1)
    static let v2 = ModelVersion(2)

    let name: String
    /// The answer to the question with that number, counted from 0.
    let answer: @Sendable (AttemptQuestion, Int) -> ModelReply
    /// The offset at which each question began; nil without a Range.
    var asks: [Int64?]
    var versions = [v1, v2]
    /// Changes the terms that each attempt is given.
    var change: @Sendable (inout AttemptTerms) -> Void = { _ in }
    /// The last question's If-Range.
    var ifRange: FieldValue?
    var attempts = 2
    var state = DownloadState.succeeded
    /// The version that the file is of; nil for an empty one, or none.
    var version: Int? = 1
    /// Whether the last attempt continued bytes or began anew; nil where nothing was here.
    var isContinued: Bool?
    var reason: String?
    var discarded: Int64 = 0
    var resumedFrom: Int64 = 0
    /// The code of the last failure.
    var code: FailureCode?
    /// Bytes kept at the end.
    var kept: Int64?
    /// Whether the bytes that are kept are void, for the reason that the last failure gives.
    var isKeptVoid = false
    var isVerified = true
    var mirrors = 1

    var testDescription: String { name }

    init(
        _ name: String, asks: [Int64?],
        _ answer: @escaping @Sendable (AttemptQuestion, Int) -> ModelReply
    ) {
        self.name = name
        self.asks = asks
        self.answer = answer
    }

    /// A copy of this row with other expectations.
    func with(_ change: (inout AttemptCase) -> Void) -> AttemptCase {
        var row = self
        change(&row)
        return row
    }

    /// A row whose first answer breaks off after 4000 bytes; the later answers are the row's own.
    static func row(
        _ name: String, asks: [Int64?] = [4000], first: ModelVersion = v1,
        _ answer: @escaping @Sendable (AttemptQuestion, Int) -> ModelReply
    ) -> AttemptCase {
        AttemptCase(name, asks: [nil] + asks) { question, number in
            number == 0 ? .whole(first, cut: 4000) : answer(question, number)
        }.with { $0.ifRange = asks.last == .some(nil) ? nil : first.etag }
    }

    static func continued(_ row: AttemptCase, from: Int64 = 4000) -> AttemptCase {
        row.with {
            $0.isContinued = true
            $0.resumedFrom = from
        }
    }

    static func restarted(
        _ row: AttemptCase, _ reason: String, _ version: Int? = 2, discarded: Int64 = 4000
    ) -> AttemptCase {
        row.with {
            $0.isContinued = false
            $0.reason = reason
            $0.discarded = discarded
            $0.version = version
        }
    }

    /// A row in which a part is refused and then the whole of another version comes.
    static func refused(_ name: String, _ reason: String, _ part: ModelReply) -> AttemptCase {
        restarted(
            row(name, asks: [4000, nil]) { question, _ in
                question.start == nil ? .whole(v2) : part
            }, reason)
    }

    /// Runs it on the machine.
    func run(sourceLocation: SourceLocation = #_sourceLocation) {
        let world = AttemptWorld(versions) { question, number, _ in answer(question, number) }
        world.change = change
        world.mirrors = mirrors
        world.run()
        let name = Comment(rawValue: name)
        #expect(world.faults.isEmpty, name, sourceLocation: sourceLocation)
        #expect(world.questions.map(\.start) == asks, name, sourceLocation: sourceLocation)
        #expect(world.questions.last?.ifRange == ifRange, name, sourceLocation: sourceLocation)
        #expect(world.failures.count == attempts, name, sourceLocation: sourceLocation)
        #expect(world.state == state, name, sourceLocation: sourceLocation)
        #expect(world.isContinued == isContinued, name, sourceLocation: sourceLocation)
        #expect(world.tally.reason == reason, name, sourceLocation: sourceLocation)
        #expect(world.tally.discarded == discarded, name, sourceLocation: sourceLocation)
        #expect(world.tally.resumedFrom == resumedFrom, name, sourceLocation: sourceLocation)
        #expect(world.failures.last??.code == code, name, sourceLocation: sourceLocation)
        if let kept {
            #expect(world.row?.offset ?? 0 == kept, name, sourceLocation: sourceLocation)
            #expect((world.file != nil) == (kept > 0), name, sourceLocation: sourceLocation)
            let reason = isKeptVoid ? world.failures.last??.detail : nil
            #expect(world.row?.void == reason, name, sourceLocation: sourceLocation)
        }
        guard state == .succeeded else { return }
        let found = world.file?.versions(before: .max) ?? []
        #expect(found == Set(version.map { [$0] } ?? []), name, sourceLocation: sourceLocation)
        #expect(
            world.body?.isLengthVerified == isVerified, name, sourceLocation: sourceLocation)
    }
}
