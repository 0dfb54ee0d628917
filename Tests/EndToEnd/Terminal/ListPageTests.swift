// Lists of more than one page: an empty page is not the last one.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct ListPageTests {
        /// A service whose lists have an entry on the second page and on the fourth, whatever the
        /// filter is.
        private static let service = #"""
            import http.server, json, sys, urllib.parse
            ONE = {"id": "dl_00000000000000000000000001", "state": "canceled", "sequence": 1,
                   "url": "http://a.example/one", "type": "download.canceled", "cursor": "1",
                   "confidence": "low", "attempt_count": 0, "timestamp": "2026-01-01T00:00:00.000Z"}
            TWO = ONE | {"id": ONE["id"][:-1] + "2", "url": "http://a.example/two"}
            ONE["data"], TWO["data"] = dict(ONE), dict(TWO)
            PAGES = {None: ([], "a"), "a": ([ONE], "b"), "b": ([], "c"), "c": ([TWO], None)}
            class Answer(http.server.BaseHTTPRequestHandler):
                protocol_version = "HTTP/1.1"
                def log_message(self, *words): pass
                def do_GET(self):
                    path, _, query = self.path.partition("?")
                    given = dict(urllib.parse.parse_qsl(query))
                    entries, behind = PAGES[given.get("cursor") or given.get("after")]
                    name = path.rsplit("/", 1)[-1]
                    document = {"downloads" if name == "forecast" else "data": entries,
                                "next_cursor": behind, "truncated": not entries}
                    if name.startswith("dl_"): document = ONE if name.endswith("1") else TWO
                    body = json.dumps(document).encode()
                    self.send_response(200)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
            http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Answer).serve_forever()
            """#

        static let lists = [
            "list", "list --all", "list --state canceled", "list --session a --all",
            "list --label a=b", "list --search x", "list --error timed_out",
            "list --origin http://a",
            "list --uploads", "list --json", "list --all --json", "list -q", "events",
            "events --type download.canceled", "events --session a", "events --json",
            "webhooks deliveries", "webhooks deliveries --state exhausted --all",
            "webhooks deliveries --json", "forecast", "forecast --all", "forecast --session a",
            "forecast --all --json", "watch", "watch --session a", "watch --uploads",
        ]

        @Test(.timeLimit(.minutes(3)))
        func everyListGoesOnBehindAnEmptyPage() async throws {
            let scratch = try Scratch()
            let port = try await freePort()
            try scratch.write(Self.service, to: "service.py")
            let child = try ChildProcess(
                "/usr/bin/env", ["python3", scratch.file("service.py"), "\(port)"],
                environment: Environment.plain, log: scratch.file("service.log"))
            do {
                try await eventually("the service") {
                    let reply = try await Curl.get("http://127.0.0.1:\(port)/v1/downloads")
                    return reply.status == 200 ? () : nil
                }
                for list in Self.lists {
                    let run = try await CommandRun.of(
                        list.split(separator: " ").map(String.init),
                        settings: ["LULL_SERVER": "http://127.0.0.1:\(port)", "TZ": "UTC"],
                        in: scratch)
                    let text = run.output + run.errors
                    // Both downloads of the list that is watched have ended as canceled.
                    let status: Int32 = list.hasPrefix("watch") ? 1 : 0
                    #expect(run.status == status, "\(list): \(text)")
                    for id in ["00000000001", "00000000002"] {
                        #expect(text.contains(id), "\(list): \(text)")
                    }
                }
            } catch {
                Issue.record(error, "\(try scratch.read("service.log"))")
            }
            _ = await child.stop()
            try scratch.remove()
        }
    }
}
