// Trust and secrets: authorities, certificates, proxies, encryption keys.
import Foundation
import Support
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct TrustTests {
        private static let settings = [
            "LULL_RETRY_BASE": "50ms", "LULL_RETRY_CAP": "100ms", "LULL_MAX_ATTEMPTS": "2",
            "LULL_PROXY_DESTINATIONS": "loopback",
        ]

        private struct Seen: Decodable {
            struct Failure: Decodable {
                let `class`: String
                let code: String
            }
            let id: String
            let state: String
            let error: Failure?
        }

        /// Runs the program several times in one directory.
        private func inLives(_ body: (Scratch) async throws -> Void) async throws {
            let scratch = try Scratch()
            do {
                try await body(scratch)
            } catch {
                Issue.record(error)
            }
            try await Task { try scratch.remove() }.value
        }

        private func life(
            _ scratch: Scratch, _ settings: [String: String],
            _ body: (LullProcess) async throws -> Void
        ) async throws {
            let lull = try await LullProcess(
                in: scratch, settings: Self.settings.merging(settings) { $1 })
            do {
                try await lull.start()
                try await body(lull)
                #expect(await lull.stop() == 0)
            } catch {
                Issue.record(error, "lull's log ends:\n\(try await lull.logEnd())")
            }
            try await Task { try await lull.sweep() }.value
        }

        private func decoded(_ answer: Curl.Answer) throws -> Seen {
            try JSONDecoder().decode(Seen.self, from: Data(answer.body.utf8))
        }

        private func create(
            _ lull: LullProcess, _ members: [String: Any]
        ) async throws -> String {
            let json = try JSONSerialization.data(withJSONObject: members)
            let answer = try await Curl.send(
                "POST", "\(lull.base)/v1/downloads", json: String(decoding: json, as: UTF8.self))
            #expect(answer.status == 201, "\(answer.body)")
            return try decoded(answer).id
        }

        private func end(_ lull: LullProcess, _ id: String) async throws -> Seen {
            try await eventually("the end of \(id)") {
                let seen = try decoded(try await Curl.get("\(lull.base)/v1/downloads/\(id)"))
                return ["succeeded", "failed", "attention_required"].contains(seen.state)
                    ? seen : nil
            }
        }

        private func content(_ lull: LullProcess, _ id: String) async throws -> String {
            try await Curl.get("\(lull.base)/v1/downloads/\(id)/content").body
        }

        /// The server of openssl serves one connection at a time, so the connection must not be
        /// kept.
        private static let file =
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"

        @Test(.timeLimit(.minutes(4)))
        func trustsThePrivateAuthorityOfOperatorOrSession() async throws {
            try await TLSOrigin.with(["-HTTP"], answers: ["file": Self.file]) { origin in
                try await inLives { scratch in
                    try await life(scratch, [:]) { lull in
                        let id = try await create(lull, ["url": origin.url + "file"])
                        let refused = try await end(lull, id)
                        #expect(refused.state == "failed")
                        #expect(refused.error?.code == "server_certificate_untrusted")
                        let session = try JSONSerialization.data(
                            withJSONObject: ["tls": ["ca_pem": origin.authority]])
                        let put = try await Curl.send(
                            "PUT", "\(lull.base)/v1/sessions/private",
                            json: String(decoding: session, as: UTF8.self))
                        #expect([200, 201].contains(put.status), "\(put.body)")
                        let trusted = try await create(
                            lull, ["url": origin.url + "file", "session": "private"])
                        #expect(try await end(lull, trusted).state == "succeeded")
                        #expect(try await content(lull, trusted) == "hello")
                    }
                    try scratch.write(origin.authority, to: "ca.pem")
                    try await life(scratch, ["LULL_CA_FILE": scratch.file("ca.pem")]) { lull in
                        let id = try await create(lull, ["url": origin.url + "file"])
                        #expect(try await end(lull, id).state == "succeeded")
                        #expect(try await content(lull, id) == "hello")
                        // The certificate names the address, not the host.
                        let named = try await end(
                            lull,
                            try await create(
                                lull, ["url": "https://localhost:\(origin.port)/file"]))
                        #expect(named.error?.code == "server_certificate_untrusted")
                    }
                }
            }
        }

        /// HAProxy ends TLS before the origin, which therefore sees in clear the fields that were
        /// sent to it; a proxy between sees the fields that were sent to the proxy.
        @Test(.timeLimit(.minutes(4)))
        func proxyCredentialsAndOriginCredentialsStayApart() async throws {
            let origin = try OriginServer { _ in OriginStep.answer(body: "hello") }
            defer { origin.close() }
            try await TLSOrigin.with(["-www"]) { certificates in
                try await inLives { scratch in
                    let front = try await ForeignServer.tlsHaproxy(
                        certificate: certificates.identity, before: origin.url(""), in: scratch)
                    let port = try #require(Int(front.base.split(separator: ":").last ?? ""))
                    let tunnel = OriginTunnel(to: port)
                    let proxy = try OriginServer { request in
                        request["proxy-authorization"] == nil
                            ? OriginStep.answer("407 Proxy Authentication Required")
                            : [.send("HTTP/1.1 200 OK\r\n\r\n"), .tunnel(tunnel)]
                    }
                    defer { proxy.close() }
                    try scratch.write(certificates.authority, to: "ca.pem")
                    try await front.during {
                        try await life(scratch, ["LULL_CA_FILE": scratch.file("ca.pem")]) { lull in
                            try await tunnelled(lull, port, proxy)
                        }
                    }
                    let asked = try #require(proxy.requests.last)
                    #expect(asked.method == "CONNECT")
                    #expect(asked["authorization"] == nil && asked["x-api-key"] == nil)
                    let carried = String(decoding: tunnel.seen, as: UTF8.self)
                    #expect(!tunnel.seen.isEmpty)
                    for secret in ["0r1gin", "p0xy", "Authorization"] {
                        #expect(!carried.contains(secret))
                    }
                    let sent = try #require(origin.requests.last)
                    #expect(origin.requests.count == 1)
                    #expect(sent["authorization"] == "Bearer 0r1gin")
                    #expect(sent["x-api-key"] == "0r1gin")
                    #expect(!sent.headers.contains { $0.name.hasPrefix("proxy") })
                    let log = try scratch.read("lull.log")
                    #expect(!log.contains("p0xy") && !log.contains("0r1gin"))
                }
            }
        }

        private func tunnelled(
            _ lull: LullProcess, _ port: Int, _ proxy: OriginServer
        ) async throws {
            var members: [String: Any] = [
                "url": "https://127.0.0.1:\(port)/file",
                "headers": ["X-Api-Key": "0r1gin"],
                "authorization": ["type": "bearer", "token": "0r1gin"],
                "proxy": ["url": proxy.url("")],
            ]
            let anonymous = try await end(lull, try await create(lull, members))
            #expect(anonymous.error?.code == "proxy_authentication_required")
            #expect(anonymous.state == "attention_required")
            members["proxy"] = ["url": proxy.url(""), "username": "u", "password": "p0xy"]
            let id = try await create(lull, members)
            #expect(try await end(lull, id).state == "succeeded")
            #expect(try await content(lull, id) == "hello")
        }

        private func sealed(_ lull: LullProcess, _ origin: OriginServer) async throws -> String {
            try await create(
                lull,
                [
                    "url": origin.url("/file"), "suspended": true,
                    "headers": ["X-Api-Key": "s3aled"],
                ])
        }

        private func resumed(_ lull: LullProcess, _ id: String) async throws -> Seen {
            let answer = try await Curl.send(
                "POST", "\(lull.base)/v1/downloads/\(id)/resume", json: "")
            #expect(answer.status == 200, "\(answer.body)")
            return try await end(lull, id)
        }

        /// The old and the new key, then the new one alone, then both again.
        @Test(.timeLimit(.minutes(4)))
        func encryptionKeysRotate() async throws {
            let origin = try OriginServer { request in
                request["x-api-key"] == "s3aled"
                    ? OriginStep.answer(body: "hello") : OriginStep.answer("403 Forbidden")
            }
            defer { origin.close() }
            try await inLives { scratch in
                var keys: [String] = []
                for name in ["old", "new"] {
                    let made = try await ChildProcess.run("openssl", ["rand", "-base64", "32"])
                    try scratch.write(made.output, to: name)
                    keys.append(made.output.trimmingCharacters(in: .whitespacesAndNewlines))
                }
                let (old, new) = (scratch.file("old"), scratch.file("new"))
                var ids: [String] = []
                try await life(scratch, ["LULL_ENCRYPTION_KEY_FILE": old]) { lull in
                    for _ in 0..<2 { ids.append(try await sealed(lull, origin)) }
                }
                try await life(scratch, ["LULL_ENCRYPTION_KEY_FILE": "\(new), \(old)"]) { lull in
                    #expect(try await resumed(lull, ids[0]).state == "succeeded")
                    ids.append(try await sealed(lull, origin))
                }
                try await life(scratch, ["LULL_ENCRYPTION_KEY_FILE": new]) { lull in
                    let orphan = try await resumed(lull, ids[1])
                    #expect(orphan.state == "attention_required")
                    #expect(orphan.error?.code == "credentials_unreadable")
                    #expect(try await resumed(lull, ids[2]).state == "succeeded")
                }
                try await life(scratch, ["LULL_ENCRYPTION_KEY_FILE": "\(new),\(old)"]) { lull in
                    let found = try await resumed(lull, ids[1])
                    #expect(found.state == "succeeded")
                }
                let log = try scratch.read("lull.log")
                #expect(log.contains("attempt ended"))
                for secret in keys + ["s3aled"] { #expect(!log.contains(secret)) }
            }
        }
    }
}
