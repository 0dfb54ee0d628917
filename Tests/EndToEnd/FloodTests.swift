// Costly request bodies do not delay other requests.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct FloodTests {
        private static let floods = 8

        /// Eight of the largest batches are under way, complete except for their last byte; then
        /// that byte is sent on each, and a small request on another connection.
        @Test(.timeLimit(.minutes(3)), arguments: ["headers", "members"])
        func aSmallRequestIsAnsweredBeforeAFlood(_ kind: String) async throws {
            let scratch = try Scratch()
            let lull = try await LullProcess(in: scratch)
            do {
                try await lull.start()
                let body = FloodTests.body(kind)
                let port = lull.base.split(separator: ":").last ?? ""
                try scratch.write(
                    "POST /v1/downloads/batch?dry_run=true HTTP/1.1\r\nHost: localhost\r\n"
                        + "Content-Type: application/json\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n" + body.dropLast(),
                    to: "flood")
                let script = """
                    fds=$(seq 11 \(10 + FloodTests.floods))
                    for fd in $fds
                    do
                        eval "exec $fd<>/dev/tcp/127.0.0.1/\(port)"
                        cat \(scratch.file("flood")) >&$fd
                    done
                    exec 9<>/dev/tcp/127.0.0.1/\(port)
                    for fd in $fds; do printf '}' >&$fd; done
                    printf 'GET /livez HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n' >&9
                    read -r -t 60 -u 9 line
                    answered=0
                    for fd in $fds
                    do if read -t 0 -u $fd; then answered=$((answered + 1)); fi; done
                    echo "${line%?} answered=$answered"
                    for fd in $fds; do read -r -t 60 -u $fd line; echo "${line%?}"; done
                    """
                let run = try await ChildProcess.run("bash", ["-c", script])
                let lines = run.output.split(separator: "\n")
                #expect(lines.count == FloodTests.floods + 1, "\(run.output)")
                let words = lines.first?.split(separator: "=") ?? []
                #expect(words.first?.hasPrefix("HTTP/1.1 200") == true, "\(run.output)")
                let answered = Int(words.last ?? "") ?? FloodTests.floods
                #expect(answered < FloodTests.floods, "\(run.output)")
                #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("HTTP/1.1 ") })
            } catch {
                Issue.record(error, "lull's log ends:\n\(try await lull.logEnd())")
            }
            try await Task {
                try await lull.sweep()
                try scratch.remove()
            }.value
        }

        /// The body of a thousand downloads that are as costly as allowed.
        private static func body(_ kind: String) -> String {
            let items = (0..<1000).map { place in
                let members = (0..<50).map { "\"name_\($0)\":\"value of \(place)\"" }
                    .joined(separator: ",")
                return kind == "headers"
                    ? "{\"url\":\"https://a.example/\(place)\",\"headers\":{\(members)}}"
                    : "{\"url\":\"https://a.example/\(place)\",\(members)}"
            }
            return "{\"downloads\":[" + items.joined(separator: ",") + "]}"
        }
    }
}
