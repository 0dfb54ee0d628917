// Every row of the table "answer to Range: bytes=N-", and what origins do beside it, through a
// whole worker: the file, the state, what `resume` says, and the attempt's record.
//
// Row of the table                                   here as
// 206 from N, or from before N                       matchingPartIsAccepted
// 206 without Content-Range, multipart, behind N     mismatchingPartIsRefused
// 206 with another total or ETag                     mismatchingPartIsRefused
// 200 with our ETag, much kept / little kept         wholeRepresentationReplacesTheBytes
// 200 otherwise                                      wholeRepresentationReplacesTheBytes
// 416 with our length / another / none               status416AtTheEndCompletes
// 401, 403, 404, 410 with bytes                      statuses401_403_404_410NeedAttention, URLTests
// 408, 425, 429, 5xx                                 retriesOn408_425_429_5xx
// a coded answer                                     ifRangeUsesTheStrongestValidator
// validators in their order                          ifRangeUsesTheStrongestValidator
// unstable ETags                                     changingETagIsAnotherVersionDespiteTheDate
// 206 that ends early                                shortPartIsContinued
// 204, 304, 400, 412, 600 to Range                   failedRangeRequestIsRetriedWithoutRange
// ETag of a redirect's hop                           validatorsOfTheFinalHopCount
import Base
import Downloads
import Store
import Support
import Testing

@testable import Worker

private let bytes = content(9000)
private let other = content(9000, seed: 5)
private let date = "Wed, 01 Oct 2025 00:00:00 GMT"
private let later = "Date: Thu, 02 Oct 2025 00:00:00 GMT"

/// A row whose first answer breaks off after 4000 bytes; the later answers are the row's own.
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

/// A first answer whose headers prove nothing: the second attempt begins from the first byte.
private func fresh(_ name: String, etag: String?, _ headers: [String]) -> Row {
    Row(name, ranges: [nil, nil]) { _, number in
        Answer.whole(bytes, etag: etag, cutAfter: number == 0 ? 4000 : nil, headers)
    }.with { $0.bytes = bytes }
}

/// A long file whose first answer is chunked, so that it says no length, and breaks off.
private let long = content(400_000)

private func part(_ start: Int, _ end: Int, of total: String) -> [OriginStep] {
    let head = "HTTP/1.1 206 P\r\nETag: \"one\"\r\nContent-Length: \(end - start)\r\n"
    return [
        .send(head + "Content-Range: bytes \(start)-\(end - 1)/\(total)\r\n\r\n"),
        .sendBytes(Array(long[start..<end])),
    ]
}

private func parted(
    _ name: String, ranges: [Int?], _ answer: @escaping @Sendable (Int) -> [OriginStep]
) -> Row {
    Row(name, ranges: [nil] + ranges) { request, number in
        if number == 0 {
            return [
                .send(
                    "HTTP/1.1 200 OK\r\nETag: \"one\"\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + String(long.count, radix: 16) + "\r\n"),
                .sendBytes(Array(long[..<150_000])), .close,
            ]
        }
        return request.rangeStart.map(answer) ?? Answer.whole(long, etag: "\"one\"")
    }.with {
        $0.bytes = long
        $0.ifRange = "\"one\""
        $0.outcome = "continued"
        $0.resumedFrom = 150_000
    }
}

private func voided(_ row: Row, _ reason: String) -> Row {
    row.with {
        $0.ifRange = nil
        $0.outcome = "restarted"
        $0.reason = reason
        $0.discarded = 160_000
        $0.resumedFrom = 0
    }
}

private let rowsOfParts: [Row] = {
    let starts = Array(stride(from: 150_000, to: 400_000, by: 50_000))
    let end: [OriginStep] = Answer.status("416 X", ["Content-Range: bytes */400000"])
    return [
        parted("parts of a known total", ranges: starts) {
            part($0, $0 + 50_000, of: "400000")
        },
        parted("parts of an unknown total, then 416", ranges: starts + [400_000]) {
            $0 == 400_000 ? end : part($0, $0 + 50_000, of: "*")
        },
        parted("one part of an unknown total, then all", ranges: [150_000, 160_000]) {
            part($0, $0 == 150_000 ? 160_000 : 400_000, of: $0 == 150_000 ? "*" : "400000")
        },
        parted("a part that begins earlier", ranges: [150_000, 200_000]) {
            part($0 - 50_000, $0 == 150_000 ? 200_000 : 400_000, of: "400000")
        },
        // The answer has bytes 150,000 to 159,999 of an unknown total, whatever is asked for.
        voided(
            parted("the same part for ever", ranges: [150_000, 160_000, nil]) { _ in
                part(150_000, 160_000, of: "*")
            }, "the origin's range ends before the requested one"),
        voided(
            parted("a part, then another total", ranges: [150_000, 160_000, nil]) {
                part($0, $0 + 10_000, of: $0 == 150_000 ? "400000" : "400001")
            }, "the source changed: 400001 bytes instead of 400000"),
    ]
}()

@Suite struct ResumeRowTests {
    @Test func matchingPartIsAccepted() async throws {
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

    @Test func mismatchingPartIsRefused() async throws {
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
                "206 multipart", "multipart/byteranges in answer to a single range",
                odd("Content-Type: multipart/byteranges; boundary=x")),
            refused(
                "206 from behind N", "the origin's range begins after the requested one",
                Answer.part(bytes, from: 4001)),
            refused(
                "206 that ends before N", "the origin's range ends before the requested one",
                odd("Content-Range: bytes 2000-2999/9000")),
            refused(
                "206 with two ETags", "the source changed: another ETag",
                odd("Content-Range: bytes 4000-4999/9000\r\nETag: \"v2\"")),
            refused(
                "206 with more bytes than its range",
                "the origin sent more bytes than its Content-Range says",
                [
                    .send(
                        "HTTP/1.1 206 P\r\nETag: \"v1\"\r\nTransfer-Encoding: chunked\r\n"
                            + "Content-Range: bytes 4000-4999/9000\r\n\r\n1388\r\n"),
                    .sendBytes(Array(bytes[4000...])), .send("\r\n0\r\n\r\n"),
                ]),
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
                "206 of a coded whole", "a range of a representation with Content-Encoding",
                odd("Content-Range: bytes 4000-8999/9000\r\nContent-Encoding: gzip", length: 5000)),
        ])
    }

    /// The next answer is written from byte 0 as well, over the void bytes.
    @Test func aPartFromTheBeginningIsVoidWhereItBringsMoreThanItAnnounces() async throws {
        let (long, next) = (content(1_000_000), content(900_000, seed: 5))
        let head = "HTTP/1.1 206 P\r\nETag: \"v1\"\r\nTransfer-Encoding: chunked\r\n"
        try await Row.run([
            Row("206 from 0", ranges: [nil, 300_000, nil]) { _, number in
                switch number {
                case 0: return Answer.whole(long, cutAfter: 300_000)
                case 1:
                    return [
                        .send(head + "Content-Range: bytes 0-699999/1000000\r\n\r\nf4240\r\n"),
                        .sendBytes(long), .send("\r\n0\r\n\r\n"),
                    ]
                default:
                    return [
                        .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\ndbba0\r\n"),
                        .sendBytes(next), .send("\r\n0\r\n\r\n"),
                    ]
                }
            }.with {
                $0.bytes = next
                $0.outcome = "restarted"
                $0.reason = "the origin sent more bytes than its Content-Range says"
                $0.discarded = 300_000
            }
        ])
    }

    @Test func wholeRepresentationReplacesTheBytes() async throws {
        try await Row.run([
            restarted(
                row("200 with our ETag, little kept") { _, _ in Answer.whole(bytes) },
                "the origin ignored Range", bytes),
            restarted(
                row("200 with another ETag") { _, _ in Answer.whole(other, etag: "\"v2\"") },
                "the source changed: the origin sent the whole file in answer to If-Range"),
            restarted(
                row("200 without an ETag") { _, _ in Answer.whole(other, etag: nil) },
                "the source changed: the origin sent the whole file in answer to If-Range"),
            restarted(
                row("200 that is shorter") { _, _ in Answer.whole([1, 2, 3], etag: "\"v2\"") },
                "the source changed: the origin sent the whole file in answer to If-Range",
                [1, 2, 3]),
            restarted(
                row("200 that is empty") { _, _ in Answer.whole([], etag: "\"v2\"") },
                "the source changed: the origin sent the whole file in answer to If-Range", []),
        ])
    }

    @Test func status416AtTheEndCompletes() async throws {
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

    @Test func statuses401_403_404_410NeedAttention() async throws {
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

    @Test func retriesOn408_425_429_5xx() async throws {
        try await Row.run(
            [408, 421, 423, 425, 429, 449, 500, 501, 502, 503, 504, 505, 511, 599].map { status in
                continued(
                    row("\(status)", asks: [4000, 4000]) { _, number in
                        number == 1 ? Answer.status("\(status) X") : Answer.part(bytes, from: 4000)
                    }
                ).with { $0.attempts = 3 }
            })
    }

    @Test func ifRangeUsesTheStrongestValidator() async throws {
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
                    Answer.part(bytes, from: 4000, etag: nil, ["Last-Modified: \(date)"])
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

    @Test func validatorsOfTheFinalHopCount() async throws {
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

    /// Three attempts: the date of the first answer holds for the third.
    @Test func lastModifiedHoldsForTheThirdAttempt() async throws {
        try await continued(
            row(
                "dated", asks: [4000, 6000], first: ["Last-Modified: \(date)", later],
                etag: nil
            ) { request, number in
                Answer.part(
                    bytes, from: request.rangeStart ?? 0, etag: nil,
                    cutAfter: number == 1 ? 2000 : nil, ["Last-Modified: \(date)"])
            }, from: 6000
        ).with {
            $0.attempts = 3
            $0.ifRange = date
        }.run()
    }

    /// The ETag differs each time: an equal date does not override it.
    @Test func changingETagIsAnotherVersionDespiteTheDate() async throws {
        let kept = Int(ResumeRules.worthAsking)
        let long = content(kept + 1000)
        let dates = ["Last-Modified: \(date)", later]
        try await Row("made up", ranges: [nil, kept]) { _, number in
            Answer.whole(
                long, etag: "\"e\(number)\"", cutAfter: number == 0 ? kept : nil, dates)
        }.with {
            $0.bytes = long
            $0.ifRange = "\"e0\""
            $0.outcome = "restarted"
            $0.reason = "the source changed: the origin sent the whole file in answer to If-Range"
            $0.discarded = Int64(kept)
        }.run()
    }

    /// A part shorter than asked: the rest is asked for, until an answer has said where the end is.
    @Test func shortPartIsContinued() async throws { try await Row.run(rowsOfParts) }

    /// An answer that would be final is asked once more without Range.
    @Test func failedRangeRequestIsRetriedWithoutRange() async throws {
        let statuses = [400, 304, 412, 600, 204, 205, 405, 300]
        try await Row.run(
            statuses.map { status in
                let isEmpty = [204, 205, 304].contains(status)
                let answer =
                    isEmpty
                    ? [.send("HTTP/1.1 \(status) N\r\n\r\n"), .close]
                    : Answer.status("\(status) X")
                return restarted(
                    row("\(status)", asks: [4000, nil]) { request, _ in
                        request.rangeStart == nil ? Answer.whole(other, etag: "\"v2\"") : answer
                    }, "the origin answered \(status) to a request with Range")
            })
    }

    @Test func ignoredIfRangeIsRetriedOnce() async throws {
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
