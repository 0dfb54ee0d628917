// Every row of the table "answer to Range: bytes=N-", and what origins do beside it, through a
// whole worker: the file, the state, what `resume` says, and the attempt's record.
//
// Row of the table                                   here as
// 206 from N, or from before N                       aPartIsTaken
// 206 without Content-Range, multipart, behind N     aPartIsRefused
// 206 with another total or ETag                     aPartIsRefused
// 200 with our ETag, much kept / little kept         theWholeComes
// 200 otherwise                                      theWholeComes
// 416 with our length / another / none               theEndIsReached
// 401, 403, 404, 410 with bytes                      whatIsGoneIsAskedAbout (going on: URLTests)
// 408, 425, 429, 5xx                                 whatPassesIsWaitedFor
// a coded answer                                     theValidatorIsChosen
// validators in their order, unstable ETags          theValidatorIsChosen, madeUpETags
// ETag of a redirect's hop                           theHopThatCarriedTheBytesCounts
import Core
import Store
import Support
import Testing

@testable import Worker

private let bytes = content(9000)
private let other = content(9000, seed: 5)
private let date = "Wed, 01 Oct 2025 00:00:00 GMT"
private let later = "Date: Thu, 02 Oct 2025 00:00:00 GMT"

/// The first answer breaks off after 4000 bytes; then the row's own.
private func row(
    _ name: String, asks ranges: [Int?] = [4000], first: [String] = [],
    etag: String? = "\"v1\"",
    _ answer: @escaping @Sendable (OriginRequest, Int) -> [OriginStep]
) -> Row {
    Row(name, ranges: [nil] + ranges) { request, number in
        number == 0
            ? Answer.whole(bytes, etag: etag, cutAfter: 4000, first)
            : answer(request, number)
    }.with {
        $0.bytes = bytes
        $0.ifRange = ranges.last == .some(nil) ? nil : etag
    }
}

private func continued(_ row: Row, from: Int64 = 4000) -> Row {
    row.with {
        $0.outcome = "continued"
        $0.resumedFrom = from
    }
}

private func restarted(_ row: Row, _ reason: String, _ bytes: [UInt8] = other) -> Row {
    row.with {
        $0.outcome = "restarted"
        $0.reason = reason
        $0.discarded = 4000
        $0.bytes = bytes
    }
}

private func refused(
    _ name: String, _ reason: String, _ part: [OriginStep]
) -> Row {
    restarted(
        row(name, asks: [4000, nil]) { request, _ in
            request.rangeStart == nil ? Answer.whole(other, etag: "\"v2\"") : part
        }, reason)
}

private func odd(_ headers: String, length: Int = 1000) -> [OriginStep] {
    [
        .send(
            "HTTP/1.1 206 Partial Content\r\nETag: \"v1\"\r\nContent-Length: \(length)\r\n"
                + headers + "\r\n\r\n"), .fill(1, count: length),
    ]
}

private let unusable = "206 without a usable Content-Range"

/// All bytes came in a chunk, only the last chunk did not.
private func ended(_ range: String, asks ranges: [Int?]) -> Row {
    Row("416 with \(range)", ranges: [nil] + ranges) { request, number in
        let chunked = String(bytes.count, radix: 16)
        return switch number {
        case 0:
            [
                .send(
                    "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + chunked + "\r\n"),
                .sendBytes(bytes), .close,
            ]
        case 1: Answer.status("416 X", [range])
        default: Answer.whole(other, etag: "\"v2\"")
        }
    }
}

/// A first answer with these headers proves nothing: the second attempt begins anew.
private func fresh(_ name: String, etag: String?, _ headers: [String]) -> Row {
    Row(name, ranges: [nil, nil]) { _, number in
        Answer.whole(bytes, etag: etag, cutAfter: number == 0 ? 4000 : nil, headers)
    }.with { $0.bytes = bytes }
}

@Suite struct ResumeRowTests {
    @Test func aPartIsTaken() async throws {
        try await Row.run([
            continued(
                row("206 from N") { request, _ in
                    Answer.part(bytes, from: request.rangeStart ?? 0)
                }),
            continued(row("206 from before N") { _, _ in Answer.part(bytes, from: 1000) }),
            continued(row("206 from 0") { _, _ in Answer.part(bytes, from: 0) }),
            continued(
                row("206 with an unknown total") { _, _ in
                    [
                        .send(
                            "HTTP/1.1 206 P\r\nETag: \"v1\"\r\nContent-Length: 5000\r\n"
                                + "Content-Range: bytes 4000-8999/*\r\n\r\n"),
                        .sendBytes(Array(bytes[4000...])),
                    ]
                }),
            continued(
                row("206 without a length, ended by the close") { _, _ in
                    [
                        .send(
                            "HTTP/1.1 206 P\r\nETag: \"v1\"\r\n"
                                + "Content-Range: bytes 4000-8999/9000\r\n\r\n"),
                        .sendBytes(Array(bytes[4000...])), .close,
                    ]
                }),
        ])
    }

    @Test func aPartIsRefused() async throws {
        try await Row.run([
            refused("206 without Content-Range", unusable, odd("X: y")),
            refused(
                "206 whose range nobody can read", unusable, odd("Content-Range: bytes 4000-4999")),
            refused("206 of other units", unusable, odd("Content-Range: items 4000-4999/9000")),
            refused(
                "206 with two ranges", unusable,
                odd(
                    "Content-Range: bytes 4000-4999/9000\r\nContent-Range: bytes 5000-5999/9000")),
            refused(
                "206 whose range and length disagree", unusable,
                odd("Content-Range: bytes 4000-8999/9000")),
            refused(
                "206 multipart", "multipart/byteranges to a single range",
                odd("Content-Type: multipart/byteranges; boundary=x")),
            refused(
                "206 from behind N", "the origin's range begins behind what was asked",
                Answer.part(bytes, from: 4001)),
            refused(
                "206 that ends early", "the origin's range ends before the source does",
                odd("Content-Range: bytes 4000-4999/9000")),
            refused(
                "206 with another total", "the source changed: 9500 bytes instead of 9000",
                Answer.part(other + content(500), from: 4000)),
            refused(
                "206 with another ETag", "the source changed: another ETag",
                Answer.part(other, from: 4000, etag: "\"v2\"")),
            refused(
                "206 that leaves the ETag out", "206 without the ETag that the first bytes had",
                Answer.part(bytes, from: 4000, etag: nil)),
            refused(
                "206 of a coded whole", "a range of an encoded representation",
                odd("Content-Range: bytes 4000-8999/9000\r\nContent-Encoding: gzip", length: 5000)),
        ])
    }

    @Test func theWholeComes() async throws {
        try await Row.run([
            restarted(
                row("200 with our ETag, little kept") { _, _ in Answer.whole(bytes) },
                "the origin ignored Range", bytes),
            restarted(
                row("200 with another ETag") { _, _ in Answer.whole(other, etag: "\"v2\"") },
                "the source changed: the origin sent the whole"),
            restarted(
                row("200 without an ETag") { _, _ in Answer.whole(other, etag: nil) },
                "the source changed: the origin sent the whole"),
            restarted(
                row("200 that is shorter") { _, _ in Answer.whole([1, 2, 3], etag: "\"v2\"") },
                "the source changed: the origin sent the whole", [1, 2, 3]),
            restarted(
                row("200 that is empty") { _, _ in Answer.whole([], etag: "\"v2\"") },
                "the source changed: the origin sent the whole", []),
        ])
    }

    @Test func theEndIsReached() async throws {
        let whole = ended("Content-Range: bytes */9000", asks: [9000]).with {
            $0.bytes = bytes
            $0.outcome = "continued"
            $0.resumedFrom = 9000
            $0.ifRange = "\"v1\""
        }
        let others = [
            ("Content-Range: bytes */8000", "the source changed: "),
            ("Content-Range: bytes */9001", ""), ("X: y", ""),
        ].map { header, how in
            ended(header, asks: [9000, nil]).with {
                $0.reason = how + "the origin has no bytes from 9000 on"
                $0.bytes = other
                $0.outcome = "restarted"
                $0.discarded = 9000
            }
        }
        try await Row.run([whole] + others)
    }

    @Test func whatIsGoneIsAskedAbout() async throws {
        try await Row.run(
            [401, 403, 404, 410].map { status in
                continued(row("\(status)") { _, _ in Answer.status("\(status) X") }).with {
                    $0.state = .attentionRequired
                    $0.code =
                        status < 404 ? "user_authentication_required" : "resource_unavailable"
                    $0.kept = 4000
                }
            })
    }

    @Test func whatPassesIsWaitedFor() async throws {
        try await Row.run(
            [408, 425, 429, 500, 502, 503, 504].map { status in
                continued(
                    row("\(status)", asks: [4000, 4000]) { _, number in
                        number == 1 ? Answer.status("\(status) X") : Answer.part(bytes, from: 4000)
                    }
                ).with { $0.attempts = 3 }
            })
    }

    @Test func theValidatorIsChosen() async throws {
        try await Row.run([
            fresh("a weak ETag", etag: "W/\"v1\"", []), fresh("an unquoted ETag", etag: "v1", []),
            fresh("an ETag with a space", etag: "\"a b\"", []), fresh("nothing", etag: nil, []),
            fresh(
                "a date that is too young", etag: nil,
                [
                    "Last-Modified: Thu, 02 Oct 2025 00:00:00 GMT",
                    "Date: Thu, 02 Oct 2025 00:00:59 GMT",
                ]),
            fresh("a date without Date", etag: nil, ["Last-Modified: \(date)"]),
            fresh("a coded answer", etag: "\"v1\"", ["Content-Encoding: gzip"]),
            continued(
                row("an old date", first: ["Last-Modified: \(date)", later], etag: nil) { _, _ in
                    Answer.part(bytes, from: 4000, etag: nil)
                }
            ).with { $0.ifRange = date },
            continued(
                row("an ETag before a date", first: ["Last-Modified: \(date)", later]) { _, _ in
                    Answer.part(bytes, from: 4000)
                }),
            continued(
                row("a digest alone", etag: nil) { _, _ in Answer.part(bytes, from: 4000, etag: nil)
                }
            ).with { $0.members = ["expected_digest": .string("sha256:" + sha256(bytes))] },
            continued(
                row("a digest and another version", etag: nil) { _, number in
                    number == 1
                        ? Answer.part(other, from: 4000, etag: nil) : Answer.whole(bytes, etag: nil)
                }
            ).with {
                $0.members = ["expected_digest": .string("sha256:" + sha256(bytes))]
                $0.ranges = [nil, 4000, nil]
                $0.attempts = 3
                $0.outcome = nil
                $0.resumedFrom = 0
            },
        ])
    }

    @Test func theHopThatCarriedTheBytesCounts() async throws {
        let hop = "HTTP/1.1 302 F\r\nETag: \"hop\"\r\nLocation: cdn\r\nContent-Length: 0\r\n\r\n"
        try await Row("redirected", ranges: [nil, nil, 4000, 4000]) { request, number in
            guard request.target.hasSuffix("/cdn") else { return [.send(hop)] }
            return number == 1
                ? Answer.whole(bytes, etag: "\"cdn\"", cutAfter: 4000)
                : Answer.part(bytes, from: 4000, etag: "\"cdn\"")
        }.with {
            $0.bytes = bytes
            $0.ifRange = "\"cdn\""
            $0.outcome = "continued"
            $0.resumedFrom = 4000
        }.run()
    }

    /// Three attempts: a date that the second answer leaves out holds for the third.
    @Test func aDateHoldsForTheThirdAttempt() async throws {
        try await continued(
            row(
                "dated", asks: [4000, 6000], first: ["Last-Modified: \(date)", later],
                etag: nil
            ) { request, number in
                Answer.part(
                    bytes, from: request.rangeStart ?? 0, etag: nil,
                    cutAfter: number == 1 ? 2000 : nil)
            }, from: 6000
        ).with {
            $0.attempts = 3
            $0.ifRange = date
        }.run()
    }

    /// An origin whose ETags are new each time, and one whose file is new, as long and as old.
    @Test func madeUpETags() async throws {
        let kept = Int(ResumeRules.worthAsking)
        let long = content(kept + 1000)
        let dates = ["Last-Modified: \(date)", later]
        let isOdd: @Sendable (Bool, OriginRequest, Int) -> [OriginStep] = {
            isMadeUp, request, number in
            let etag = isMadeUp ? "\"e\(number)\"" : "\"v2\""
            guard number > 0 else {
                return Answer.whole(long, etag: "\"e0\"", cutAfter: kept, dates)
            }
            guard request["if-range"] == date, let start = request.rangeStart else {
                return Answer.whole(long, etag: etag, dates)
            }
            return Answer.part(long, from: start, etag: etag, dates)
        }
        try await Row.run([
            Row("made up", ranges: [nil, kept, kept]) { isOdd(true, $0, $1) }.with {
                $0.bytes = long
                $0.ifRange = date
                $0.outcome = "continued"
                $0.resumedFrom = Int64(kept)
            },
            Row("another file", ranges: [nil, kept, kept, nil]) { isOdd(false, $0, $1) }.with {
                $0.bytes = long
                $0.outcome = "restarted"
                $0.reason = "the source changed: another ETag"
                $0.discarded = Int64(kept)
            },
        ])
    }

    @Test func anOriginThatIgnoresIfRangeIsAskedOnceMore() async throws {
        let kept = Int(ResumeRules.worthAsking)
        let long = content(kept + 1000)
        try await Row.run([
            Row("plain Range", ranges: [nil, kept, kept]) { request, number in
                number == 0
                    ? Answer.whole(long, cutAfter: kept)
                    : request["if-range"] == nil
                        ? Answer.part(long, from: kept) : Answer.whole(long)
            }.with {
                $0.bytes = long
                $0.outcome = "continued"
                $0.resumedFrom = Int64(kept)
            },
            Row("no ranges at all", ranges: [nil, kept, kept]) { _, number in
                Answer.whole(long, cutAfter: number == 0 ? kept : nil)
            }.with {
                $0.bytes = long
                $0.outcome = "restarted"
                $0.reason = "the origin ignored Range"
                $0.discarded = Int64(kept)
            },
        ])
    }
}
