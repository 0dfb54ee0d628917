// The edge of the program: the addresses where it listens, its stop, and its behaviour without free
// descriptors.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct EdgeTests {
        /// Runs a test with one replica, without an origin and a receiver.
        private func with(
            settings: [String: String] = [:], descriptors: Int? = nil,
            _ body: (LullProcess, Scratch) async throws -> Void
        ) async throws {
            let scratch = try Scratch()
            let lull = try await LullProcess(
                in: scratch, settings: settings, descriptors: descriptors)
            do {
                try await lull.start()
                try await body(lull, scratch)
            } catch {
                Issue.record(error, "lull's log ends:\n\(try await lull.logEnd())")
            }
            try await Task {
                try await lull.sweep()
                try scratch.remove()
            }.value
        }

        private func shell(_ script: String, log: String) throws -> ChildProcess {
            try ChildProcess(
                "/bin/bash", ["-c", script], environment: Environment.plain, log: log)
        }

        @Test(.timeLimit(.minutes(3)))
        func requestsAreAnsweredBeforeShutdown() async throws {
            try await with { lull, scratch in
                let port = lull.base.split(separator: ":").last ?? ""
                let made = try await LullClient(base: lull.base).create(
                    LullClient.Order(
                        url: "\(lull.base)/livez",
                        earliestBeginDate: Date.now.addingTimeInterval(3600).instant))
                let half = try shell(
                    """
                    exec 3<>/dev/tcp/127.0.0.1/\(port)
                    printf 'GET /readyz HTTP/1.1\\r\\nHost: localhost\\r\\n' >&3
                    until [ -e \(scratch.file("go")) ]; do sleep 0.05; done
                    printf '\\r\\n' >&3
                    cat <&3
                    """, log: scratch.file("half"))
                let curl = "exec curl -sSN -w '|%{http_code}' "
                let stream = try shell(
                    curl + "-H 'Accept: text/event-stream' \(lull.base)/v1/events",
                    log: scratch.file("stream"))
                let page = try shell(
                    curl + "'\(lull.base)/v1/downloads/\(made.id)?wait=60'",
                    log: scratch.file("poll"))
                try await eventually("a stream and a long poll") {
                    let metrics = try await Curl.get("\(lull.base)/metrics").body
                    let isThere =
                        metrics.contains("\nlull_http_streams 1\n")
                        // The request for the metrics is one of them.
                        && metrics.contains("\nlull_http_requests 3\n")
                    return isThere ? () : nil
                }
                async let ended = lull.stop()
                try await eventually("closed doors") {
                    try await Curl.get("\(lull.base)/livez").status == 0 ? () : nil
                }
                try scratch.write("", to: "go")
                #expect(await half.status() == 0)
                let late = try scratch.read("half")
                #expect(late.hasPrefix("HTTP/1.1 503 "), "\(late)")
                #expect(late.contains("\"is_ready\":false"))
                #expect(await stream.status() == 0, "the stream has its end")
                #expect(
                    try scratch.read("stream").hasSuffix(
                        ": the service is stopping, connect again\n\n|200"))
                #expect(await page.status() == 0)
                let poll = try scratch.read("poll")
                #expect(poll.contains("\"code\":\"draining\"") && poll.hasSuffix("|200"), "\(poll)")
                #expect(await ended == 0)
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func everyRefusalIsLoggedWithItsRequestID() async throws {
            try await with { lull, scratch in
                let port = lull.base.split(separator: ":").last ?? ""
                let end = "Host: localhost\\r\\nConnection: close\\r\\n\\r\\n"
                let requests: [(String, Int)] = [
                    ("GET /nothing HTTP/1.1\\r\\n" + end, 404),
                    ("HEAD /v1/downloads?x=1 HTTP/1.1\\r\\n" + end, 422),
                    ("GET /v1/downloads HTTP/1.1\\r\\nSec-Fetch-Site: cross-site\\r\\n" + end, 403),
                    ("POST /v1/downloads HTTP/1.1\\r\\nContent-Length: 0\\r\\n" + end, 415),
                    ("GET / HTTP/2.0\\r\\n\\r\\n", 505), ("get / HTTP/1.1\\r\\n\\r\\n", 501),
                    ("HEAD / HTTP/1.1\\r\\nHost: [::::]\\r\\n\\r\\n", 400), ("?\\r\\n", 400),
                ]
                for (number, (request, status)) in requests.enumerated() {
                    let name = "answer\(number)"
                    let child = try shell(
                        """
                        exec 3<>/dev/tcp/127.0.0.1/\(port)
                        printf '\(request)' >&3
                        cat <&3
                        """, log: scratch.file(name))
                    #expect(await child.status() == 0)
                    let answer = try scratch.read(name)
                    #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(request): \(answer)")
                    let match = try #require(answer.firstMatch(of: /X-Request-Id: (req_[0-9A-Z]+)/))
                    let lines = try scratch.read("lull.log").split(separator: "\n").filter {
                        $0.contains("\"\(match.1)\"") && $0.contains("\(status)")
                    }
                    #expect(lines.count == 1, "\(request): \(match.1)")
                }
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func recoversFromAShortageOfDescriptors() async throws {
            try await with(descriptors: 100) { lull, scratch in
                let port = lull.base.split(separator: ":").last ?? ""
                let crowd = try shell(
                    """
                    for number in $(seq 10 309)
                    do eval "exec $number<>/dev/tcp/127.0.0.1/\(port)"; done
                    until [ -e \(scratch.file("go")) ]; do sleep 0.05; done
                    """, log: scratch.file("crowd"))
                try await eventually("a shortage") {
                    try scratch.read("lull.log").contains("no more connections can be accepted")
                        ? () : nil
                }
                // Dispatch traps if it finds no descriptor when it looks at its threads, once a
                // second.
                let identifier = try #require(await lull.identifier)
                let open = try FileManager.default.contentsOfDirectory(
                    atPath: "/proc/\(identifier)/fd")
                #expect(open.count < 95, "clients leave descriptors for other work")
                try scratch.write("", to: "go")
                #expect(await crowd.status() == 0)
                try await eventually("health") {
                    try await Curl.get("\(lull.base)/readyz").status == 200 ? () : nil
                }
                let client = LullClient(base: lull.base)
                let made = try await client.create(
                    LullClient.Order(url: "\(lull.base)/openapi.yaml"))
                #expect(try await client.download(made.id, wait: 30).state == "succeeded")
                #expect(await lull.stop() == 0)
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func startsBesideACrowdOfClients() async throws {
            try await with(descriptors: 100) { lull, scratch in
                #expect(await lull.stop() == 0)
                let address = "/dev/tcp/127.0.0.1/\(lull.base.split(separator: ":").last ?? "")"
                let crowd = try shell(
                    """
                    until (exec 9<>\(address)) 2>/dev/null; do sleep 0.01; done
                    for number in $(seq 10 209); do eval "exec $number<>\(address)"; done
                    until [ -e \(scratch.file("go")) ]; do sleep 0.05; done
                    """, log: scratch.file("crowd"))
                async let started: Void = lull.start()
                try await eventually("a shortage") {
                    try scratch.read("lull.log").contains("no more connections can be accepted")
                        ? () : nil
                }
                try scratch.write("", to: "go")
                #expect(await crowd.status() == 0)
                try await started
                #expect(await lull.stop() == 0)
            }
        }

        @Test(
            .timeLimit(.minutes(3)),
            .enabled(if: FileManager.default.fileExists(atPath: "/proc/net/if_inet6")))
        func servesEveryKindOfAddressAtOnce() async throws {
            let sockets = try Scratch()
            let first = "127.0.0.1:\(try await freePort())"
            let second = "127.0.0.1:\(try await freePort())"
            let third = "[::1]:\(try await freePort())"
            let path = sockets.file("lull.sock")
            let listen = "\(first), \(second),\(third),unix:\(path)"
            try await with(settings: ["LULL_LISTEN": listen]) { lull, _ in
                for address in [first, second, third] {
                    #expect(try await Curl.get("http://\(address)/livez").status == 200)
                }
                let local = try await ChildProcess.run(
                    "curl", ["-s", "--unix-socket", path, "http://localhost/livez"])
                #expect(local.output == "ok\n")
                #expect(await lull.stop() == 0)
                #expect(!FileManager.default.fileExists(atPath: path))
            }
            try sockets.remove()
        }
    }
}
