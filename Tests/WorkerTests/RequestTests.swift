// The requests to origins: their fields, their number, and the record that stays of them.
import Base
import Content
import Crypto
import Downloads
import Postgres
import Store
import Support
import Synchronization
import Testing
import Trees

@testable import Worker

@Suite struct RequestTests {
    private static let secret: JSONObject = [
        "headers": ["X-Api-Key": "k3y", "Cookie": "c=1"],
        "authorization": ["type": "basic", "username": "Aladdin", "password": "open sesame"],
    ]

    @Test func sendsTheRequestAndErasesItsSecretsAtTheEnd() async throws {
        let bytes = content(1000)
        try await Replica.with({ _ in Answer.whole(bytes) }) { replica, origin in
            var members = Self.secret
            members["method"] = "POST"
            members["body_base64"] = "AAEC/w=="
            let id = try await replica.submit(origin.url("/a"), members)
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == bytes)
            let request = try #require(origin.requests.first)
            #expect(request.method == "POST")
            #expect(request.body == [0, 1, 2, 255])
            #expect(request["x-api-key"] == "k3y")
            #expect(request["cookie"] == "c=1")
            #expect(request["authorization"] == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
            #expect(request["accept-encoding"] == "identity")
            #expect(try await replica.number("SELECT count(*) FROM download_secrets") == 0)
        }
    }

    /// The trace of a create goes to the download's origin only if that is set, never over a field
    /// of the client, and not after a redirect to another origin.
    @Test(arguments: [true, false])
    func originsGetTheTraceWhereThatIsSet(_ isSet: Bool) async throws {
        let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        let own = "00-11111111111111111111111111111111-1111111111111111-00"
        let other = try OriginServer { _ in Answer.whole(content(10)) }
        defer { other.close() }
        let away = other.url("/away")
        try await Replica.with(
            change: { $0.tracesOrigins = isSet },
            { request in
                switch request.target {
                case "/moved": OriginStep.answer("302 Found", headers: ["Location: /there"])
                case "/away": OriginStep.answer("302 Found", headers: ["Location: \(away)"])
                default: Answer.whole(content(10))
                }
            }
        ) { replica, origin in
            for (target, field) in [
                ("/plain", nil), ("/moved", nil), ("/away", nil), ("/own", own),
            ] {
                let members: JSONObject =
                    field.map { ["headers": ["TraceParent": .string($0)]] } ?? JSONObject()
                var new = try replica.draft(origin.url(target), members)
                new.download.spec.traceparent = trace
                _ = try await replica.intake.submit(new)
                replica.worker.hint()
                _ = try await replica.reached(.succeeded, new.download.id)
            }
            let seen = Dictionary(
                origin.requests.map { ($0.target, $0["traceparent"]) }, uniquingKeysWith: { $1 })
            let sent = isSet ? trace : nil
            #expect(seen["/plain"] == sent && seen["/moved"] == sent && seen["/there"] == sent)
            #expect(seen["/away"] == sent && seen["/own"] == own)
            #expect(other.requests.map { $0["traceparent"] } == [nil], "another origin")
        }
    }

    /// A 200 brings the result of a POST; a 201 describes it, or says where it is.
    @Test(arguments: ["GET", "POST", "PUT"])
    func contentOfAPostIsThatOfA200(method: String) async throws {
        let bytes = content(1000)
        try await Replica.with({ request in
            let line = request.target == "/made" ? "201 Created" : "200 OK"
            return [
                .send("HTTP/1.1 \(line)\r\nContent-Length: 1000\r\n\r\n"), .sendBytes(bytes),
            ]
        }) { replica, origin in
            let members: JSONObject =
                method == "GET" ? [:] : ["method": .string(method), "body": "x"]
            let id = try await replica.submit(origin.url("/a"), members)
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == bytes)
            let made = try await replica.submit(origin.url("/made"), members)
            let error = try await replica.reached(.failed, made).download.result["error"]
            #expect(error?["http_status"] == 201 && error?["code"] == "http_status")
        }
    }

    /// A redirect to an expired address: `url` is asked once more and leads to a fresh one.
    @Test(arguments: [401, 403, 404, 410, 400, 500])
    func refusedRedirectTargetIsRequestedAgainFromTheURL(status: Int) async throws {
        let bytes = content(1000)
        let asked = Mutex(0)
        try await Replica.with(
            change: { $0.retries.maximumAttempts = 1 },
            { request in
                switch request.target {
                case "/url", "/post":
                    let number = asked.withLock { count in
                        count += 1
                        return count
                    }
                    return Answer.status("302 F", ["Location: /signed?n=\(number)"])
                case "/always": return Answer.status("302 F", ["Location: /signed?n=1"])
                case "/signed?n=1", "/plain": return Answer.status("\(status) X")
                default: return Answer.whole(bytes)
                }
            }
        ) { replica, origin in
            let isPlace = [401, 403, 404, 410].contains(status)
            let id = try await replica.submit(origin.url("/url"))
            let isAttention = status == 401 || status == 403
            let ended = isAttention ? DownloadState.attentionRequired : .failed
            let record = try await replica.reached(isPlace ? .succeeded : ended, id)
            if isPlace { #expect(try replica.file(record) == bytes) }
            #expect(record.download.attempt == 1)
            // The second request is made once only, and only if a redirect led to the refusal.
            for (path, count) in [("/always", isPlace ? 2 : 1), ("/plain", 1)] {
                let id = try await replica.submit(origin.url(path))
                _ = try await replica.reached(ended, id)
                #expect(origin.requests.filter { $0.target == path }.count == count)
            }
        }
    }

    @Test func putIsRetriedAndItsBodyStaysAtItsOrigin() async throws {
        let asked = Mutex(0)
        try await Replica.with({ request in
            switch request.target {
            case "/move": return Answer.status("307 Temporary Redirect", ["Location: /there"])
            case "/elsewhere":
                return Answer.status(
                    "308 Permanent Redirect",
                    ["Location: http://localhost:\(request.port)/"])
            case "/see": return Answer.status("303 See Other", ["Location: /got"])
            case "/broken":
                let count = asked.withLock { count in
                    count += 1
                    return count
                }
                return count == 1 ? [.reset] : Answer.whole(content(10))
            default: return Answer.whole(content(10))
            }
        }) { replica, origin in
            let put: JSONObject = ["method": "PUT", "body": "text"]
            let moved = try await replica.submit(origin.url("/move"), put)
            _ = try await replica.reached(.succeeded, moved)
            #expect(origin.requests.map(\.method) == ["PUT", "PUT"])
            #expect(origin.requests.map(\.body) == [Array("text".utf8), Array("text".utf8)])
            let away = try await replica.submit(origin.url("/elsewhere"), put)
            #expect(
                try await replica.reached(.failed, away).download.result["error"]?["http_status"]
                    == 308)
            let seen = try await replica.submit(origin.url("/see"), put)
            _ = try await replica.reached(.succeeded, seen)
            let last = try #require(origin.requests.last)
            #expect(last.method == "GET" && last.body.isEmpty)
            let broken = try await replica.submit(origin.url("/broken"), put)
            _ = try await replica.reached(.succeeded, broken)
            #expect(asked.withLock { $0 } == 2)
        }
    }

    @Test func postIsSentOnceUnlessRepeatable() async throws {
        let counts = Mutex<[String: Int]>([:])
        try await Replica.with({ request in
            let count = counts.withLock { counts in
                counts[request.target, default: 0] += 1
                return counts[request.target] ?? 0
            }
            guard count == 1 else { return Answer.whole(content(10)) }
            return request.target == "/503"
                ? Answer.status("503 Service Unavailable", ["Retry-After: 1"])
                : request.target == "/500" ? Answer.status("500 Internal Server Error") : [.reset]
        }) { replica, origin in
            let post: JSONObject = ["method": "POST", "body": "text"]
            var keyed = post
            keyed["headers"] = ["Idempotency-Key": "1"]
            for path in ["/reset", "/500"] {
                let id = try await replica.submit(origin.url(path), post)
                let error = try await replica.reached(.failed, id).download.result["error"]
                #expect(error?["detail"]?.stringValue?.contains("Idempotency-Key") == true)
                #expect(error?["retryable"] == false)
                #expect(try await replica.find(id).download.attempt == 1)
            }
            #expect(counts.withLock { $0["/reset"] } == 1)
            let pushed = try await replica.submit(origin.url("/503"), post)
            _ = try await replica.reached(.succeeded, pushed)
            let safe = try await replica.submit(origin.url("/keyed"), keyed)
            _ = try await replica.reached(.succeeded, safe)
            #expect(counts.withLock { $0["/keyed"] } == 2)
        }
    }

    @Test func postWithUnknownOutcomeIsNotRetried() async throws {
        try await Replica.with({ _ in Answer.whole(content(10)) }, isRunning: false) {
            replica, origin in
            let id = try await replica.submit(
                origin.url(), ["method": "POST", "body": "text"])
            _ = try await replica.pool.query(
                "UPDATE queue SET resume = '{\"sent\": true}' WHERE id = $1", [UUIDValue(id)])
            let running = Task { await replica.worker.run() }
            let record = try await replica.reached(.failed, id)
            await replica.worker.drain(grace: .seconds(5))
            await running.value
            #expect(record.download.result["error"]?["code"] == "request_outcome_unknown")
            #expect(origin.requests.isEmpty)
            #expect(try await replica.number("SELECT count(*) FROM download_secrets") == 0)
        }
    }

    @Test func secretsAreNotSentToARedirectsOtherOrigin() async throws {
        let other = try OriginServer { _ in Answer.whole(content(10)) }
        defer { other.close() }
        let target = other.url("/b")
        try await Replica.with({ _ in Answer.status("302 Found", ["Location: \(target)"]) }) {
            replica, origin in
            let id = try await replica.submit(origin.url("/a"), Self.secret)
            _ = try await replica.reached(.succeeded, id)
            #expect(origin.requests.first?["authorization"] != nil)
            let second = try #require(other.requests.first)
            for name in ["authorization", "cookie", "x-api-key"] {
                #expect(second[name] == nil, "\(name)")
            }
        }
    }

    /// Fields that are not secret follow redirects, secrets do not; back at the first origin
    /// secrets are sent again.
    @Test func openFieldsGoAlongOverRedirectsAndSecretsOnTheWayBack() async throws {
        let away = try OriginServer { request in
            OriginStep.answer(
                "302 Found", headers: ["Location: \(request["referer"] ?? "")/back"])
        }
        defer { away.close() }
        let target = away.url("/away")
        try await Replica.with({ request in
            request.target == "/back"
                ? Answer.whole(content(10))
                : OriginStep.answer("302 Found", headers: ["Location: \(target)"])
        }) { replica, origin in
            var members = Self.secret
            members["headers"] = [
                "X-Api-Key": "k3y", "Cookie": "c=1", "User-Agent": "agent/1", "Accept": "a/b",
                "Accept-Language": "de", "Referer": .string(origin.url("")),
            ]
            let id = try await replica.submit(origin.url("/a"), members)
            _ = try await replica.reached(.succeeded, id)
            let open = ["user-agent", "accept", "accept-language", "referer"]
            let secret = ["x-api-key", "cookie", "authorization"]
            for request in origin.requests {
                #expect((open + secret).allSatisfy { request[$0] != nil })
            }
            #expect(origin.requests.map(\.target) == ["/a", "/back"])
            let there = try #require(away.requests.first)
            #expect(there["user-agent"] == "agent/1" && there["accept"] == "a/b")
            #expect(open.allSatisfy { there[$0] != nil })
            #expect(secret.allSatisfy { there[$0] == nil })
        }
    }

    @Test(arguments: [401, 403, 404], [true, false])
    func aRefusalSaysThatCredentialsWereWithheld(_ status: Int, _ isAway: Bool) async throws {
        let away = try OriginServer { _ in Answer.status("\(status) X") }
        defer { away.close() }
        let target = away.url("/away")
        try await Replica.with({ _ in
            isAway
                ? OriginStep.answer("302 Found", headers: ["Location: \(target)"])
                : Answer.status("\(status) X")
        }) { replica, origin in
            for (members, isSecret) in [
                (Self.secret, true), (["headers": ["Accept": "a/b"]], false), ([:], false),
            ] as [(JSONObject, Bool)] {
                let id = try await replica.submit(origin.url(), members)
                let state: DownloadState = status == 404 ? .failed : .attentionRequired
                let error = try await replica.reached(state, id).download.result["error"]
                let says = error?["detail"]?.stringValue?.contains("given for another origin")
                #expect(says == (isAway && isSecret && status != 404), "\(members)")
            }
        }
    }

    /// An origin that lets in requests with its cookie: the redirect of this download has it,
    /// another download does not.
    @Test func cookiesLiveForOneAttempt() async throws {
        let bytes = content(1000)
        try await Replica.with({ request in
            request["cookie"]?.contains("pass=1") == true
                ? Answer.whole(bytes)
                : OriginStep.answer(
                    "302 Found", headers: ["Set-Cookie: pass=1; HttpOnly", "Location: /file"])
        }) { replica, origin in
            for _ in 0..<2 {
                let id = try await replica.submit(
                    origin.url("/file"), ["headers": ["Cookie": "own=0; pass=0"]])
                let record = try await replica.reached(.succeeded, id)
                #expect(try replica.file(record) == bytes)
            }
            let sent = origin.requests.map { $0["cookie"] }
            let one = ["own=0; pass=0", "own=0; pass=1"]
            #expect(sent == one + one)
            for table in ["downloads", "attempts", "events"] {
                let stored = try await replica.number(
                    "SELECT count(*) FROM \(table) WHERE \(table)::text LIKE '%pass=1%'")
                #expect(stored == 0)
            }
        }
    }

    @Test func missingEncryptionKeyNeedsAttention() async throws {
        try await Replica.with({ _ in Answer.whole(content(10)) }) { replica, origin in
            let other = SecretBox(keys: [Array(repeating: 8, count: 32)])
            let id = try await replica.submit(origin.url(), Self.secret, box: other)
            let record = try await replica.reached(.attentionRequired, id)
            #expect(record.download.result["error"]?["code"] == "credentials_unreadable")
            #expect(record.download.result["error"]?["class"] == "attention")
            #expect(origin.requests.isEmpty)
            #expect(try await replica.number("SELECT count(*) FROM download_secrets") == 1)
            #expect(try await replica.perform(.cancel, id) == .canceled)
            #expect(try await replica.number("SELECT count(*) FROM download_secrets") == 0)
        }
    }

    @Test func newCredentialsContinueWithTheBytes() async throws {
        let bytes = content(2_000_000)
        try await Replica.with({ request in
            if request["authorization"] == "Bearer new" {
                return Answer.part(bytes, from: request.rangeStart ?? 0)
            }
            return request.rangeStart == nil
                ? Answer.whole(bytes, cutAfter: 900_000) : Answer.status("403 Forbidden")
        }) { replica, origin in
            let id = try await replica.submit(
                origin.url(), ["authorization": ["type": "bearer", "token": "old"]])
            let old = try await replica.reached(.attentionRequired, id).download
            #expect(old.bytesReceived == 900_000)
            let members = try RequestMembers.changed(
                by: ["authorization": ["type": "bearer", "token": "new"]],
                shape: old.spec.request, secrets: BoundSecrets(RequestSecrets(), for: old.url),
                from: old.url, to: old.url
            ).get().members
            let sealed = SealedRequest(
                shape: members.shape,
                sealed: Replica.box.seal(
                    BoundSecrets(members.secrets, for: old.url).plain,
                    for: RequestSecrets.associatedData(of: id, app: 1)))
            guard
                case .done = try await replica.downloads.change(
                    old, to: old, origins: nil, request: sealed, app: 1)
            else {
                Issue.record("not changed")
                return
            }
            #expect(try await replica.perform(.resume, id) == .waiting)
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == bytes)
            #expect(record.download.result["resume"]?["outcome"] == "continued")
            #expect(origin.requests.last?.rangeStart == 900_000)
        }
    }

    @Test func sessionHeadersAreDefaults() async throws {
        try await Replica.with({ _ in Answer.whole(content(10)) }) { replica, origin in
            var session = try SessionConfiguration.parse([
                "http_additional_headers": ["X-Api-Key": "of-session", "Authorization": "s"]
            ]).get()
            let secrets = try #require(session.secrets)
            session.shape = SessionShape(secrets, fingerprint: "1")
            let associatedData = SessionSecrets.associatedData(app: 1, session: "default")
            _ = try await replica.pool.query(
                "INSERT INTO session_secrets VALUES (1, 1, $1)",
                [
                    Replica.box.seal(
                        BoundSessionSecrets(secrets, for: .everywhere).plain, for: associatedData)
                ])
            let plain = try await replica.submit(origin.url("/1"), session: session)
            _ = try await replica.reached(.succeeded, plain)
            let own = try await replica.submit(
                origin.url("/2"),
                [
                    "headers": ["x-api-key": "own"],
                    "authorization": ["type": "bearer", "token": "t"],
                ], session: session)
            _ = try await replica.reached(.succeeded, own)
            #expect(origin.requests.map { $0["x-api-key"] } == ["of-session", "own"])
            #expect(origin.requests.map { $0["authorization"] } == ["s", "Bearer t"])
            #expect(origin.requests[1].headers.filter { $0.name == "authorization" }.count == 1)
        }
    }

    @Test func proxyGetsItsOwnCredentials() async throws {
        let proxy = try OriginServer { _ in Answer.whole(content(10)) }
        defer { proxy.close() }
        try await Replica.with({ _ in Answer.whole(content(20)) }) { replica, origin in
            let members: JSONObject = [
                "headers": ["X-Api-Key": "k"],
                "proxy": ["url": .string(proxy.url("")), "username": "u", "password": "p"],
            ]
            let id = try await replica.submit(origin.url("/a?b"), members)
            let record = try await replica.reached(.succeeded, id)
            #expect(record.contentLength == 10)
            let request = try #require(proxy.requests.first)
            #expect(request.target == origin.url("/a?b"))
            #expect(request["proxy-authorization"] == "Basic dTpw")
            #expect(request["x-api-key"] == "k")
            #expect(origin.requests.isEmpty)
            // The next download does not go over the proxy.
            let plain = try await replica.submit(origin.url("/c"))
            _ = try await replica.reached(.succeeded, plain)
            #expect(origin.requests.count == 1)
            #expect(origin.requests[0]["proxy-authorization"] == nil)
            // Lull judges the address of the target, although the proxy would resolve it.
            let hidden = try await replica.submit("http://10.0.0.1/", members)
            let failed = try await replica.reached(.failed, hidden)
            #expect(failed.download.result["error"]?["code"] == "destination_not_allowed")
            #expect(proxy.requests.count == 1)
        }
    }
}

extension OriginRequest {
    /// The port at which the request arrived.
    fileprivate var port: String { self["host"]?.split(separator: ":").last.map(String.init) ?? "" }
}
