// The HTTP client of the tests is the one that a user has: curl, one process a request.
import Foundation

/// Requests made with the `curl` command.
enum Curl {
    /// An answer; its status is 0 if there is none.
    struct Answer {
        let status: Int
        let body: String
    }

    static func get(_ url: String) async throws -> Answer {
        try await request([url])
    }

    static func send(
        _ method: String, _ url: String, json: String, fields: [String] = []
    ) async throws -> Answer {
        try await request(["-X", method, "--json", json, url] + fields.flatMap { ["-H", $0] })
    }

    private static func request(_ arguments: [String]) async throws -> Answer {
        let result = try await ChildProcess.run(
            "curl", ["-s", "--max-time", "90", "-w", "\n%{http_code}"] + arguments)
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        guard let last = lines.last, let status = Int(last) else {
            throw HarnessError("curl ended with \(result.status): \(result.output)")
        }
        return Answer(status: status, body: lines.dropLast().joined(separator: "\n"))
    }
}
