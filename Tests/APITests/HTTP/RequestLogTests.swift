// The log line that an operator finds by X-Request-Id.
import HTTPWire
import Platform
import Synchronization
import Testing

@testable import API

@Suite struct RequestLogTests {
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock { $0 } }

        var log: Log {
            Log { level, message, fields in
                let text = fields.map { "\($0.0)=\($0.1)" }.joined(separator: " ")
                self.lines.withLock { $0.append("\(level) \(message) \(text)") }
            }
        }
    }

    @Test(arguments: [
        (204, "debug http request "), (304, "debug http request "),
        (400, "info http request refused "), (429, "info http request refused "),
        (500, "warn http request failed "), (503, "warn http request failed "),
    ])
    func logLevelFollowsTheStatus(_ status: Int, _ start: String) {
        let lines = Lines()
        RequestLog(lines.log).note(
            RequestOutline(method: "GET", path: "/a", peer: "unix"),
            Response(status: status, headers: [("X-Request-Id", "req_1")]), microseconds: 7, now: 0)
        #expect(lines.all.count == 1)
        #expect(lines.all[0].hasPrefix(start))
        #expect(lines.all[0].contains("request_id=string(\"req_1\")"))
    }

    /// Whoever waits for readiness asks until it is there.
    @Test func anAnswerOfNoToReadinessIsNoFailure() {
        for (path, status, start) in [
            ("/readyz", 503, "debug http request "), ("/readyz", 500, "warn http request failed "),
            ("/readyz", 406, "info http request refused "),
            ("/v1/downloads", 503, "warn http request failed "),
        ] {
            let lines = Lines()
            RequestLog(lines.log).note(
                RequestOutline(method: "GET", path: path, peer: "unix"),
                Response(status: status), microseconds: 7, now: 0)
            #expect(lines.all.count == 1 && lines.all[0].hasPrefix(start), "\(lines.all)")
        }
    }

    /// Whoever reads the log must not get the content of a link, nor call a trigger.
    @Test func doesNotHaveTheTokenOfALinkOrATrigger() {
        for path in [
            "/content/secret", "/content/secret/x", "/content/", "/content/%73ecret",
            "/v1/triggers/secret", "/v1/triggers/secret/x", "/v1/triggers/%73ecret",
        ] {
            for status in [200, 404, 410, 503] {
                let lines = Lines()
                RequestLog(lines.log).note(
                    RequestOutline(method: "GET", path: path, peer: "unix"),
                    Response(status: status), microseconds: 7, now: 0)
                #expect(lines.all.count == 1)
                let start = path.hasPrefix("/content/") ? "/content/" : "/v1/triggers/"
                #expect(lines.all[0].contains("path=string(\"\(start)***\")"), "\(lines.all)")
                #expect(!lines.all[0].contains("ecret"))
            }
        }
    }

    @Test func namesTheTraceOfTheRequest() {
        let lines = Lines()
        let log = RequestLog(lines.log)
        let trace = "0af7651916cd43dd8448eb211c80319c"
        let fields = [("00-\(trace)-b7ad6b7169203331-01", true), ("00-zz-b7-01", false)]
        for (field, isNamed) in fields {
            log.note(
                RequestOutline(method: "GET", path: "/", peer: "p", traceparent: field),
                Response(status: 200), microseconds: 0, now: 0)
            let isThere = lines.all.last?.contains("trace_id=string(\"\(trace)\")") == true
            #expect(isThere == isNamed)
            #expect(lines.all.last?.contains("zz") == false, "nothing of what cannot be read")
        }
    }

    @Test func omitsUnreadPartsAndCutsLongPaths() {
        let lines = Lines()
        let log = RequestLog(lines.log)
        log.note(
            RequestOutline(method: nil, path: nil, peer: "p"), Response(status: 400),
            microseconds: 0, now: 0)
        let path = "/" + String(repeating: "a", count: 5000)
        log.note(
            RequestOutline(method: "GET", path: path, peer: "p"), Response(status: 404),
            microseconds: 0, now: 0)
        #expect(!lines.all[0].contains("path=") && !lines.all[0].contains("method"))
        #expect(lines.all[1].utf8.count < 500)
    }

    @Test func limitsLinesAndCountsTheOmitted() {
        let lines = Lines()
        let log = RequestLog(lines.log)
        let outline = RequestOutline(method: "GET", path: "/", peer: "p")
        for _ in 0..<1000 { log.note(outline, Response(status: 404), microseconds: 0, now: 5) }
        #expect(lines.all.count == Int(RequestLog.linesPerSecond))
        log.note(outline, Response(status: 200), microseconds: 0, now: 5)
        #expect(lines.all.count == Int(RequestLog.linesPerSecond) + 1, "others are not counted")
        log.note(outline, Response(status: 404), microseconds: 0, now: 1_000_005)
        let omitted = 1000 - Int64(RequestLog.linesPerSecond)
        #expect(lines.all.last?.contains("omitted=integer(\(omitted))") == true)
        log.note(outline, Response(status: 404), microseconds: 0, now: 1_000_005)
        #expect(lines.all.last?.contains("omitted") == false)
    }
}
