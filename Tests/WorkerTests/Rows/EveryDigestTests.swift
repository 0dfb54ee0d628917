// Every digest that an origin names, in whatever field, is compared; a difference is no success.
import Crypto
import Downloads
import Store
import Support
import Testing

@testable import Worker

private let bytes = content(300_000)
private let rest = Array(bytes[100_000...])

/// A chunked answer with a field in its head or behind its body.
private func chunked(
    _ status: String, _ body: [UInt8], head: [String] = [], trailer: [String] = []
) -> [OriginStep] {
    let lines = ["HTTP/1.1 \(status)", "Transfer-Encoding: chunked"] + head
    return [
        .send(lines.joined(separator: "\r\n") + "\r\n\r\n"),
        .send(String(body.count, radix: 16) + "\r\n"), .sendBytes(body),
        .send("\r\n0\r\n" + trailer.map { $0 + "\r\n" }.joined() + "\r\n"),
    ]
}

private func refused(_ name: String, _ answer: [OriginStep]) -> Row {
    Row(name, ranges: [nil, nil, nil]) { _, _ in answer }.with {
        $0.state = .failed
        $0.attempts = 3
        $0.code = "digest_mismatch"
    }
}

private func taken(_ name: String, _ answer: [OriginStep]) -> Row {
    Row(name, ranges: [nil]) { _, _ in answer }.with {
        $0.attempts = 1
        $0.bytes = bytes
    }
}

@Suite struct EveryDigestTests {
    /// A digest is of the bytes as they are sent, and these are the bytes that are kept.
    @Test func digestOfACodedAnswerIsCompared() async throws {
        let name = "Repr-Digest sha-256"
        func coded(_ said: [UInt8]) -> [OriginStep] {
            Answer.whole(bytes, ["Content-Encoding: gzip", field(name, of: said)])
        }
        try await Row.run(
            [taken("coded", coded(bytes)), refused("coded, a lie", coded([1]))],
            maximumAttempts: 9)
    }

    /// One false digest beside a true one, in lines of their own, in either order.
    @Test func oneFalseDigestAmongTrueOnesFails() async throws {
        var rows: [Row] = []
        for name in fields {
            for truth in fields where truth != name {
                let lines = [field(truth, of: bytes), field(name, of: [1])]
                rows.append(refused("\(truth), then \(name)", Answer.whole(bytes, lines)))
            }
            let twice = [field(name, of: [1]), field(name, of: bytes)]
            rows.append(refused("\(name) twice", Answer.whole(bytes, twice)))
        }
        try await Row.run(rows, maximumAttempts: 9)
    }

    @Test func digestsInTrailersCount() async throws {
        try await Row.run(
            fields.flatMap { name in
                [
                    taken(name, chunked("200 OK", bytes, trailer: [field(name, of: bytes)])),
                    refused(
                        "\(name), a lie",
                        chunked("200 OK", bytes, trailer: [field(name, of: [1])])),
                ]
            }, maximumAttempts: 9)
    }

    /// A part's own digest, true or false, in its head or in its trailer.
    @Test func contentDigestOfAPartIsChecked() async throws {
        var rows: [Row] = []
        for name in fields where name.hasPrefix("Content-") {
            for (isTrue, isTrailer) in [(true, true), (true, false), (false, true), (false, false)]
            {
                let line = field(name, of: isTrue ? rest : [1])
                let place = ["ETag: \"v1\"", "Content-Range: bytes 100000-299999/300000"]
                let part = chunked(
                    "206 P", rest, head: isTrailer ? place : place + [line],
                    trailer: isTrailer ? [line] : [])
                let ranges = isTrue ? [nil, 100_000] : [nil, 100_000, nil]
                let row = Row("\(name) \(isTrue) \(isTrailer)", ranges: ranges) { request, number in
                    number == 0
                        ? Answer.whole(bytes, cutAfter: 100_000)
                        : request.rangeStart == nil ? Answer.whole(bytes) : part
                }
                rows.append(
                    row.with {
                        $0.bytes = bytes
                        $0.attempts = isTrue ? 2 : 3
                        $0.ifRange = isTrue ? "\"v1\"" : nil
                        $0.outcome = isTrue ? "continued" : nil
                        $0.resumedFrom = isTrue ? 100_000 : 0
                    })
            }
        }
        try await Row.run(rows)
    }

    /// A part that names another digest of the whole than the first answer is of another version.
    @Test func partWithAnotherReprDigestIsRefused() async throws {
        try await Row.run(
            fields.filter { !$0.hasPrefix("Content-") }.map { name in
                Row(name, ranges: [nil, 100_000, nil]) { request, number in
                    let line = field(name, of: number == 1 ? [1] : bytes)
                    return number == 0
                        ? Answer.whole(bytes, cutAfter: 100_000, [line])
                        : request.rangeStart == nil
                            ? Answer.whole(bytes, [line])
                            : Answer.part(bytes, from: 100_000, [line])
                }.with {
                    $0.bytes = bytes
                    $0.outcome = "restarted"
                    $0.discarded = 100_000
                    let algorithm =
                        name.hasSuffix("256") ? "sha256" : name.hasSuffix("512") ? "sha512" : "md5"
                    $0.reason = "the source changed: another \(algorithm) digest"
                }
            })
    }
}
