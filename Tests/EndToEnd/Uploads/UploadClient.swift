// The calls of the API about uploads.
import Foundation
import Testing

/// A client of a replica that creates uploads and brings their bytes.
struct UploadClient {
    /// The members of an upload that these tests read.
    struct Shown: Decodable {
        struct Content: Decodable {
            let href: String
            let state: String
            let sha256: String?
        }
        struct Failure: Decodable { let code: String }
        let id: String
        let state: String
        let length: Int
        let content: Content
        let error: Failure?
    }

    let base: String

    /// Creates an upload whose receiver gets it at a URL.
    func create(_ length: Int, to url: String, _ members: String = "") async throws -> Shown {
        let json = #"{"destination":{"url":"\#(url)"},"length":\#(length)\#(members)}"#
        return try Self.read(try await Curl.send("POST", "\(base)/v1/uploads", json: json), 201)
    }

    /// The upload at present, or at its end if that comes within `wait` seconds.
    func find(_ id: String, wait: Int = 0) async throws -> Shown {
        let query = wait > 0 ? "?wait=\(wait)" : ""
        return try Self.read(try await Curl.get("\(base)/v1/uploads/\(id)\(query)"), 200)
    }

    /// Brings a whole file by PUT.
    ///
    /// - Returns: the status and what curl printed.
    func put(
        _ file: String, to href: String, _ fields: [String] = []
    ) async throws -> (status: String, body: String) {
        let result = try await ChildProcess.run(
            "curl",
            ["-s", "--max-time", "90", "-w", "\n%{http_code}", "-T", file, base + href]
                + fields.flatMap { ["-H", $0] })
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        return (String(lines.last ?? ""), lines.dropLast().joined(separator: "\n"))
    }

    /// Brings a part of a file by one PATCH.
    ///
    /// - Returns: the status and the body of the answer.
    func patch(
        _ file: String, _ part: Range<Int>, to href: String, checksum: Bool = false
    ) async throws -> (status: String, body: String) {
        let script = """
            piece() { tail -c +\(part.lowerBound + 1) "$1" | head -c \(part.count); }
            fields=(-H 'Tus-Resumable: 1.0.0' -H 'Upload-Offset: \(part.lowerBound)'
                -H 'Content-Type: application/offset+octet-stream')
            if [ \(checksum) = true ]; then
                sum=$(piece "$1" | openssl dgst -sha1 -binary | base64)
                fields+=(-H "Upload-Checksum: sha1 $sum")
            fi
            piece "$1" | curl -s --max-time 90 -w '\\n%{http_code}' -X PATCH "${fields[@]}" \\
                --data-binary @- "$2"
            """
        let result = try await ChildProcess.run("bash", ["-c", script, "-", file, base + href])
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        return (String(lines.last ?? ""), lines.dropLast().joined(separator: "\n"))
    }

    /// The offset that HEAD tells.
    func offset(of href: String) async throws -> Int {
        let result = try await ChildProcess.run(
            "curl", ["-s", "-I", "-H", "Tus-Resumable: 1.0.0", base + href])
        let line = try #require(
            result.output.split(whereSeparator: \.isNewline)
                .first { $0.lowercased().hasPrefix("upload-offset:") }, "\(result.output)")
        return try #require(line.split(separator: " ").last.flatMap { Int($0) })
    }

    /// Brings a file, or its beginning, with tuspy.
    ///
    /// - Returns: the offset at which it began, and the one at which it ended.
    func tus(
        _ file: String, to href: String, chunk: Int, stop: Int, checksum: Bool = false
    ) async throws -> [Int] {
        let result = try await ChildProcess.run(
            Repository.path(".venv/bin/python"),
            [
                Repository.path("Tests/Receiver/tus_client.py"), base + href, file, "\(chunk)",
                "\(stop)", checksum ? "yes" : "no",
            ])
        guard result.status == 0 else { throw HarnessError("tuspy: \(result.output)") }
        return result.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    }

    private static func read(_ answer: Curl.Answer, _ status: Int) throws -> Shown {
        guard answer.status == status else {
            throw HarnessError("\(answer.status): \(answer.body)")
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Shown.self, from: Data(answer.body.utf8))
    }
}
