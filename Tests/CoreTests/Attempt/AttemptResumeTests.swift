// Every row of the table "answer to Range: bytes=N-", on the machine alone.
//
// Row of the table                                   here as
// 206 from N, or from before N                       takesPartThatFits
// 206 without Content-Range, multipart, behind N     refusesPartThatDoesNotFit
// 206 with another total or ETag                     refusesPartThatDoesNotFit
// 200 with our ETag, much kept / little kept         takesWhole, retriesWithoutIfRange
// 200 otherwise                                      takesWhole
// 416 with our length / another / none               recognisesTheEnd
// 401, 403, 404, 410 with bytes                      keepsBytesOn401_403_404_410
// 408, 425, 429, 5xx                                 retriesOn408_425_429_5xx
// a coded answer                                     choosesValidator
// validators in their order, unstable ETags          choosesValidator, changedETagIsAnotherVersion
// 206 that ends early                                continuesBehindShortParts
// 204, 304, 400, 412, 600 to Range                   repeatsWithoutRangeOnFinalStatus
import Base
import Downloads
import Testing

private let v1 = AttemptCase.v1
private let v2 = AttemptCase.v2
private let date = "Wed, 01 Oct 2025 00:00:00 GMT"
private let later = "Thu, 02 Oct 2025 00:00:00 GMT"
private let unusable = "206 without a usable Content-Range"
private let much = ResumeRules.worthAsking

private func text(_ text: String) -> ContentRange? { ContentRange(text) }

@Suite struct AttemptResumeTests {
    static let parts: [AttemptCase] = [
        .continued(.row("206 from N") { question, _ in .part(v1, from: question.start ?? 0) }),
        .continued(.row("206 from before N") { _, _ in .part(v1, from: 1000) }),
        .continued(.row("206 from 0") { _, _ in .part(v1, from: 0) }),
        .continued(
            .row("206 with an unknown total") { _, _ in .part(v1, from: 4000, total: "*") }),
        .continued(
            .row("206 without a length, ended by the close") { _, _ in
                ModelReply.part(v1, from: 4000).with { $0.contentLength = nil }
            }),
    ]

    @Test(arguments: parts) func takesPartThatFits(_ row: AttemptCase) { row.run() }

    static let badParts: [AttemptCase] = [
        .refused(
            "206 without Content-Range", unusable,
            ModelReply.part(v1, from: 4000).with { $0.contentRange = nil }),
        .refused(
            "206 whose range cannot be read, is doubled, or contradicts its length", unusable,
            .refused(.badServerResponse, isOddRange: true)),
        .refused(
            "206 multipart", "multipart/byteranges in answer to a single range",
            ModelReply.part(v1, from: 4000).with {
                $0.contentType = "Multipart/Byteranges; boundary=x"
            }),
        .refused(
            "206 from behind N", "the origin's range begins after the requested one",
            .part(v1, from: 4001)),
        .refused(
            "206 that ends before N", "the origin's range ends before the requested one",
            .part(v1, from: 2000, to: 3000)),
        .refused(
            "206 with two ETags", "the source changed: another ETag",
            ModelReply.part(v1, from: 4000).with { $0.etag = "\"v1\", \"v2\"" }),
        .refused(
            "206 with more bytes than its range",
            "the origin sent more bytes than its Content-Range says",
            ModelReply.part(v1, from: 4000).with {
                $0.contentRange = text("bytes 4000-4999/9000")
                $0.contentLength = nil
                $0.isChunked = true
            }),
        .refused(
            "206 with another total", "the source changed: 9500 bytes instead of 9000",
            .part(v1, from: 4000, total: "9500")),
        .refused(
            "206 with another ETag", "the source changed: another ETag", .part(v2, from: 4000)),
        .refused(
            "206 that leaves the ETag out", "206 without the ETag that the first bytes had",
            ModelReply.part(v1, from: 4000).with { $0.etag = nil }),
        .refused(
            "206 of a coded whole", "a range of a representation with Content-Encoding",
            ModelReply.part(v1, from: 4000).with { $0.contentEncoding = "gzip" }),
    ]

    @Test(arguments: badParts) func refusesPartThatDoesNotFit(_ row: AttemptCase) { row.run() }

    static let wholes: [AttemptCase] = {
        let sent = "the source changed: the origin sent the whole file in answer to If-Range"
        let short = ModelVersion(3, length: 3)
        let empty = ModelVersion(4, length: 0)
        let rows: [AttemptCase] = [
            .restarted(
                .row("200 with our ETag, little kept") { _, _ in .whole(v1) },
                "the origin ignored Range", 1),
            .restarted(.row("200 with another ETag") { _, _ in .whole(v2) }, sent),
            .restarted(
                .row("200 without an ETag") { _, _ in .whole(v2.with(etag: nil)) }, sent),
            .restarted(.row("200 that is shorter") { _, _ in .whole(short) }, sent, 3),
            .restarted(.row("200 that is empty") { _, _ in .whole(empty) }, sent, nil),
        ]
        return rows.map { $0.with { $0.versions += [short, empty] } }
    }()

    @Test(arguments: wholes) func takesWhole(_ row: AttemptCase) { row.run() }

    /// All bytes came in a chunk, only the last chunk did not.
    private static func ended(_ range: String?, asks: [Int64?]) -> AttemptCase {
        AttemptCase("416 with \(range ?? "nothing")", asks: [nil] + asks) { _, number in
            switch number {
            case 0: .whole(v1, cut: 9000, isChunked: true)
            case 1: .status(416, range: range)
            default: .whole(v2)
            }
        }
    }

    static let ends: [AttemptCase] = {
        let whole = ended("bytes */9000", asks: [9000]).with { $0.ifRange = "\"v1\"" }
        let others: [(String?, String)] = [
            ("bytes */8000", "the source changed: "), ("bytes */9001", ""), (nil, ""),
        ]
        return [AttemptCase.continued(whole, from: 9000)]
            + others.map { range, how in
                AttemptCase.restarted(
                    ended(range, asks: [9000, nil]),
                    how + "the origin has no bytes from 9000 on", discarded: 9000)
            }
    }()

    @Test(arguments: ends) func recognisesTheEnd(_ row: AttemptCase) { row.run() }

    @Test(arguments: [401, 403, 404, 410]) func keepsBytesOn401_403_404_410(_ status: Int) {
        AttemptCase.continued(.row("\(status)") { _, _ in .status(status) }).with {
            $0.state = .attentionRequired
            $0.code = status < 404 ? .userAuthenticationRequired : .resourceUnavailable
            $0.kept = 4000
        }.run()
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
    func retriesOn408_425_429_5xx(_ status: Int) {
        AttemptCase.continued(
            .row("\(status)", asks: [4000, 4000]) { _, number in
                number == 1 ? .status(status) : .part(v1, from: 4000)
            }
        ).with { $0.attempts = 3 }.run()
    }

    /// A first answer that proves nothing: the second attempt begins from the first byte.
    private static func fresh(
        _ name: String, _ version: ModelVersion,
        _ change: @escaping @Sendable (inout ResponseFacts) -> Void = { _ in }
    ) -> AttemptCase {
        AttemptCase(name, asks: [nil, nil]) { _, number in
            ModelReply.whole(version, cut: number == 0 ? 4000 : nil).with(change)
        }.with { $0.versions = [version] }
    }

    private static let plain = v1.with(etag: nil)

    private static func dated(_ modified: String, _ date: String?) -> ModelVersion {
        var version = plain
        (version.lastModified, version.date) = (modified, date)
        return version
    }

    static let validators: [AttemptCase] =
        [
            fresh("a weak ETag", v1.with(etag: "W/\"v1\"")),
            fresh("an unquoted ETag", v1.with(etag: "v1")),
            fresh("an ETag with a space", v1.with(etag: "\"a b\"")), fresh("nothing", plain),
            fresh("a young date", dated(later, "Thu, 02 Oct 2025 00:00:59 GMT")),
            fresh("a date without Date", dated(date, nil)),
            fresh("a coded answer", v1) { $0.contentEncoding = "gzip" },
            .continued(
                .row("an old date", first: dated(date, later)) { _, _ in
                    .part(dated(date, later), from: 4000)
                }
            ).with {
                $0.ifRange = FieldValue(date)
                $0.versions = [dated(date, later)]
            },
            .continued(
                .row("an ETag before a date", first: dated(date, later).with(etag: "\"v1\"")) {
                    _, _ in .part(v1, from: 4000)
                }),
        ] + digests

    private static var digests: [AttemptCase] {
        let other = v2.with(etag: nil)
        let proof: @Sendable (inout AttemptTerms) -> Void = { terms in
            terms.expectedDigest = ExpectedDigest(.sha256, bytes: Array(repeating: 0x11, count: 32))
        }
        return [
            .continued(.row("a digest alone", first: plain) { _, _ in .part(plain, from: 4000) })
                .with {
                    $0.change = proof
                    $0.versions = [plain, other]
                },
            AttemptCase.row("a digest and another version", asks: [4000, nil], first: plain) {
                _, number in number == 1 ? .part(other, from: 4000) : .whole(plain)
            }.with {
                $0.change = proof
                $0.attempts = 3
                $0.versions = [plain, other]
            },
        ]
    }

    @Test(arguments: validators) func choosesValidator(_ row: AttemptCase) { row.run() }

    @Test func dateHoldsForTheThirdAttempt() {
        let version = Self.dated(date, later)
        AttemptCase.continued(
            .row("dated", asks: [4000, 6000], first: version) { question, number in
                .part(version, from: question.start ?? 0, cut: number == 1 ? 2000 : nil)
            }, from: 6000
        ).with {
            $0.attempts = 3
            $0.ifRange = FieldValue(date)
            $0.versions = [version]
        }.run()
    }

    @Test func changedETagIsAnotherVersionInSpiteOfTheDate() {
        let versions = (0...1).map {
            ModelVersion(
                $0, length: much + 1000, etag: FieldValue("\"e\($0)\""), lastModified: date,
                date: later)
        }
        AttemptCase("made up", asks: [nil, much]) { _, number in
            .whole(versions[number], cut: number == 0 ? much : nil)
        }.with {
            $0.versions = versions
            $0.ifRange = "\"e0\""
            $0.isContinued = false
            $0.reason = "the source changed: the origin sent the whole file in answer to If-Range"
            $0.discarded = much
        }.run()
    }

    static let ignored: [AttemptCase] = {
        let long = ModelVersion(1, length: much + 1000)
        let rows: [AttemptCase] = [
            AttemptCase("plain Range", asks: [nil, much, much]) { question, number in
                number == 0
                    ? .whole(long, cut: much)
                    : question.ifRange == nil ? .part(long, from: much) : .whole(long)
            }.with {
                $0.isContinued = true
                $0.resumedFrom = much
            },
            AttemptCase("no ranges at all", asks: [nil, much, much]) { _, number in
                .whole(long, cut: number == 0 ? much : nil)
            }.with {
                $0.isContinued = false
                $0.reason = "the origin ignored Range"
                $0.discarded = much
            },
        ]
        return rows.map { $0.with { $0.versions = [long] } }
    }()

    @Test(arguments: ignored) func retriesWithoutIfRange(_ row: AttemptCase) { row.run() }

    @Test(arguments: [400, 304, 412, 600, 204, 205, 405, 300])
    func repeatsWithoutRangeOnFinalStatus(_ status: Int) {
        AttemptCase.refused(
            "\(status)", "the origin answered \(status) to a request with Range", .status(status)
        ).run()
    }

    // MARK: - Parts that end early

    private static let long = ModelVersion(1, length: 400_000)

    /// A first answer without a length that breaks off after 150,000 bytes.
    private static func parted(
        _ name: String, asks: [Int64?], _ answer: @escaping @Sendable (Int64) -> ModelReply
    ) -> AttemptCase {
        AttemptCase(name, asks: [nil] + asks) { question, number in
            guard number > 0 else { return .whole(long, cut: 150_000, isChunked: true) }
            return question.start.map(answer) ?? .whole(long)
        }.with {
            $0.versions = [long]
            $0.ifRange = "\"v1\""
            $0.isContinued = true
            $0.resumedFrom = 150_000
        }
    }

    private static func voided(_ row: AttemptCase, _ reason: String) -> AttemptCase {
        restartedAt160000(row.with { $0.reason = reason })
    }

    private static func restartedAt160000(_ row: AttemptCase) -> AttemptCase {
        row.with {
            $0.ifRange = nil
            $0.isContinued = false
            $0.discarded = 160_000
            $0.resumedFrom = 0
        }
    }

    static let shortParts: [AttemptCase] = {
        let starts = Array(stride(from: Int64(150_000), to: 400_000, by: 50_000))
        return [
            parted("parts of a known total", asks: starts) {
                .part(long, from: $0, to: $0 + 50_000)
            },
            parted("parts of an unknown total, then 416", asks: starts + [400_000]) {
                $0 == 400_000
                    ? .status(416, range: "bytes */400000")
                    : .part(long, from: $0, to: $0 + 50_000, total: "*")
            },
            parted("one part of an unknown total, then all", asks: [150_000, 160_000]) {
                .part(
                    long, from: $0, to: $0 == 150_000 ? 160_000 : 400_000,
                    total: $0 == 150_000 ? "*" : "400000")
            },
            parted("a part that begins earlier", asks: [150_000, 200_000]) {
                .part(long, from: $0 - 50_000, to: $0 == 150_000 ? 200_000 : 400_000)
            },
            voided(
                parted("the same part for ever", asks: [150_000, 160_000, nil]) { _ in
                    .part(long, from: 150_000, to: 160_000, total: "*")
                }, "the origin's range ends before the requested one"),
            voided(
                parted("a part, then another total", asks: [150_000, 160_000, nil]) {
                    .part(
                        long, from: $0, to: $0 + 10_000,
                        total: $0 == 150_000 ? "400000" : "400001")
                }, "the source changed: 400001 bytes instead of 400000"),
        ]
    }()

    @Test(arguments: shortParts) func continuesBehindShortParts(_ row: AttemptCase) { row.run() }
}
