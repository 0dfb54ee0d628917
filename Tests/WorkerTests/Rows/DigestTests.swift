// The file must agree with every digest that the client and the origin name for the whole; a
// difference is no success.
import Base
import Content
import Crypto
import Downloads
import Store
import Support
import Testing

@testable import Worker

private let bytes = content(300_000)

func hash(_ algorithm: RunningDigest.Algorithm, _ bytes: [UInt8]) -> [UInt8] {
    let digest = RunningDigest(algorithm)
    unsafe bytes.withUnsafeBytes { unsafe digest.update($0) }
    return digest.finished()
}

/// The line of a digest field that names the digest of some bytes.
func field(_ name: String, of bytes: [UInt8]) -> String {
    let sha256 = Base64.encode(SHA256.digest(of: bytes))
    let sha512 = Base64.encode(hash(.sha512, bytes))
    let md5 = Base64.encode(hash(.md5, bytes))
    return switch name {
    case "Repr-Digest sha-256": "Repr-Digest: sha-256=:\(sha256):"
    case "Repr-Digest sha-512": "Repr-Digest: unixsum=:AA==:, sha-512=:\(sha512):"
    case "Content-Digest sha-256": "Content-Digest: sha-256=:\(sha256):"
    case "Content-Digest sha-512": "Content-Digest: sha-512=:\(sha512):"
    case "Digest SHA-256": "Digest: UNIXsum=1,SHA-256=\(sha256)"
    case "Digest MD5": "Digest: MD5=\(md5)"
    case "X-Checksum-Sha256": "X-Checksum-Sha256: \(Hex.encode(SHA256.digest(of: bytes)))"
    case "X-Checksum-Sha1": "X-Checksum-Sha1: \(Hex.encode(hash(.sha1, bytes)))"
    case "X-Goog-Hash crc32c": "X-Goog-Hash: crc32c=\(Base64.encode(hash(.crc32c, bytes)))"
    case "X-Amz-Checksum-Crc64nvme":
        "X-Amz-Checksum-Crc64nvme: \(Base64.encode(hash(.crc64nvme, bytes)))"
    case "X-Amz-Checksum-Crc32":
        "X-Amz-Checksum-Crc32: \(Base64.encode(hash(.crc32, bytes)))"
    default: "Content-MD5: \(md5)"
    }
}

/// Every kind of digest that is read.
let fields = [
    "Repr-Digest sha-256", "Repr-Digest sha-512", "Digest SHA-256", "Digest MD5",
    "Content-MD5", "Content-Digest sha-256", "Content-Digest sha-512",
]

/// The fields of object stores and repositories, which stand in heads only.
let storeFields = [
    "X-Checksum-Sha256", "X-Checksum-Sha1", "X-Goog-Hash crc32c", "X-Amz-Checksum-Crc64nvme",
    "X-Amz-Checksum-Crc32",
]

@Suite struct DigestTests {
    @Test func digestHeaderProvesTheLength() async throws {
        try await Row.run(
            (fields + storeFields).map { name in
                Row(name, ranges: [nil]) { _, _ in
                    [
                        .send("HTTP/1.1 200 OK\r\n" + field(name, of: bytes) + "\r\n\r\n"),
                        .sendBytes(bytes), .close,
                    ]
                }.with {
                    $0.members = ["require_verified_length": true]
                    $0.attempts = 1
                    $0.bytes = bytes
                }
            })
    }

    /// The file is fetched twice more, then the download fails.
    @Test func digestMismatchFailsAfterTwoRefetches() async throws {
        try await Row.run(
            (fields + storeFields).map { name in
                Row(name, ranges: [nil, nil, nil]) { _, _ in
                    Answer.whole(bytes, [field(name, of: [1])])
                }.with {
                    $0.state = .failed
                    $0.attempts = 3
                    $0.code = "digest_mismatch"
                }
            }, maximumAttempts: 9)
    }

    @Test func singleDigestMismatchIsRefetched() async throws {
        try await Row("differs once", ranges: [nil, nil]) { _, number in
            var sent = bytes
            if number == 0 { sent[7] ^= 1 }
            return Answer.whole(sent, [field("Repr-Digest sha-256", of: bytes)])
        }.with { $0.bytes = bytes }.run()
    }

    /// The part has no digest, repeats the whole's, or names the MD5 of the part alone.
    @Test func digestOfTheFirstAnswerHoldsForLaterParts() async throws {
        let digest = field("Repr-Digest sha-512", of: bytes)
        let rows = ["", "Repr-Digest sha-512", "Content-MD5"].map { name in
            Row("continued, \(name)", ranges: [nil, 100_000]) { _, number in
                if number == 0 { return Answer.whole(bytes, cutAfter: 100_000, [digest]) }
                let rest = Array(bytes[100_000...])
                let said = name == "Content-MD5" ? rest : bytes
                let line = name.isEmpty ? "X: y" : field(name, of: said)
                return [
                    .send(
                        "HTTP/1.1 206 P\r\nETag: \"v1\"\r\nContent-Length: \(rest.count)\r\n"
                            + "Content-Range: bytes 100000-299999/300000\r\n\(line)\r\n\r\n"),
                    .sendBytes(rest),
                ]
            }.with {
                $0.bytes = bytes
                $0.ifRange = "\"v1\""
                $0.outcome = "continued"
                $0.resumedFrom = 100_000
            }
        }
        try await Row.run(rows)
    }

    /// The rest is of another file, and only the digest shows it, no validator.
    @Test func digestDetectsAMixWithoutValidators() async throws {
        let digest = field("Repr-Digest sha-512", of: bytes)
        let other = content(300_000, seed: 9)
        try await Row("spliced", ranges: [nil, 100_000, nil]) { request, number in
            number == 0
                ? Answer.whole(bytes, cutAfter: 100_000, [digest])
                : request.rangeStart == nil
                    ? Answer.whole(bytes, [digest]) : Answer.part(other, from: 100_000)
        }.with {
            $0.bytes = bytes
            $0.attempts = 3
        }.run()
    }

    @Test func clientDigestMayUseAnotherAlgorithm() async throws {
        let algorithms: [(String, RunningDigest.Algorithm)] = [
            ("sha512", .sha512), ("sha1", .sha1), ("md5", .md5), ("crc32c", .crc32c),
        ]
        let rows = algorithms.flatMap { name, algorithm in
            let hex = Hex.encode(hash(algorithm, bytes))
            let row = Row(name, ranges: [nil, 100_000]) { _, number in
                number == 0
                    ? Answer.whole(bytes, cutAfter: 100_000)
                    : Answer.part(bytes, from: 100_000)
            }.with {
                $0.bytes = bytes
                $0.ifRange = "\"v1\""
                $0.outcome = "continued"
                $0.resumedFrom = 100_000
                $0.members = ["expected_digest": .string("\(name):\(hex)")]
            }
            let wrong = Row("wrong \(name)", ranges: [nil]) { _, _ in Answer.whole([1, 2, 3]) }.with
            {
                $0.members = row.members
                $0.state = .failed
                $0.attempts = 1
                $0.code = "digest_mismatch"
            }
            return [row, wrong]
        }
        try await Row.run(rows)
    }

    /// All bytes were here; a 416 says so, and the digest is taken of the bytes in the file.
    @Test func digestIsComparedAfter416() async throws {
        let hex = Hex.encode(hash(.md5, bytes))
        let size = String(bytes.count, radix: 16)
        try await Row("416", ranges: [nil, bytes.count]) { _, number in
            number == 1
                ? Answer.status("416 X", ["Content-Range: bytes */\(bytes.count)"])
                : [
                    .send(
                        "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + size + "\r\n"),
                    .sendBytes(bytes), .close,
                ]
        }.with {
            $0.members = ["expected_digest": .string("md5:" + hex)]
            $0.bytes = bytes
            $0.ifRange = "\"v1\""
            $0.outcome = "continued"
            $0.resumedFrom = Int64(bytes.count)
        }.run()
    }
}
