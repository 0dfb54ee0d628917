// TLS and proxies through a whole worker: the code, the class, the state, and whether the client
// has to act.
import Base
import Crypto
import Downloads
import Foundation
import Postgres
import Store
import Support
import Testing
import Trees

@testable import Worker

@Suite struct SecureRowTests {
    /// Submits a download of a session with these certificates.
    private func submit(
        _ url: String, tls: JSONObject, for reach: SecretReach = .everywhere, _ replica: Replica
    ) async throws -> Identifier {
        var session = try SessionConfiguration.parse(["tls": .object(tls)]).get()
        let secrets = try #require(session.secrets)
        session.shape = SessionShape(secrets, fingerprint: UUID().uuidString)
        let associatedData = SessionSecrets.associatedData(app: 1, session: "default")
        _ = try await replica.pool.query("DELETE FROM session_secrets")
        _ = try await replica.pool.query(
            "INSERT INTO session_secrets VALUES (1, 1, $1)",
            [Replica.box.seal(BoundSessionSecrets(secrets, for: reach).plain, for: associatedData)])
        return try await replica.submit(url, session: session)
    }

    private func expect(
        _ code: FailureCode, _ failureClass: FailureClass, _ id: Identifier, attempts: Int,
        _ replica: Replica
    ) async throws {
        let record = try await replica.reached(
            failureClass == .attention ? .attentionRequired : .failed, id)
        let error = record.download.result["error"]
        #expect(error?["code"]?.stringValue == code.rawValue)
        #expect(error?["class"]?.stringValue == failureClass.rawValue)
        #expect(record.download.attempt == attempts, "\(code)")
    }

    private static let nonsense = "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n"

    @Test func tlsFailuresHaveTheirCodes() async throws {
        let insecure =
            "HTTP/1.1 302 F\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n"
            + "Connection: close\r\n\r\n"
        try await TLSOrigin.with(["-HTTP"], answers: ["down": insecure]) { origin in
            try await TLSOrigin.with(["-www", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0"]) { old in
                try await Replica.with(
                    change: { $0.retries.maximumAttempts = 2 }, { _ in [] }
                ) { replica, _ in
                    let stranger = try await replica.submit(origin.url)
                    try await expect(
                        .serverCertificateUntrusted, .permanent, stranger, attempts: 1, replica)
                    let past = try await replica.submit(old.url)
                    try await expect(
                        .secureConnectionFailed, .network, past, attempts: 2, replica)
                    let trust: JSONObject = ["ca_pem": .string(origin.authority)]
                    let down = try await submit(origin.url + "down", tls: trust, replica)
                    try await expect(
                        .requiresSecureConnection, .server, down, attempts: 1, replica)
                    // The certificate is for the address, not for the name.
                    let named = try await submit(
                        "https://localhost:\(origin.port)/down", tls: trust, replica)
                    try await expect(
                        .serverCertificateUntrusted, .permanent, named, attempts: 1, replica)
                    var shown = trust
                    shown["client_certificate_pem"] = .string(origin.certificate)
                    shown["client_key_pem"] = .string(Self.nonsense)
                    let mixed = try await submit(origin.url + "down", tls: shown, replica)
                    try await expect(
                        .clientCertificateRejected, .permanent, mixed, attempts: 1, replica)
                }
            }
        }
    }

    @Test func requiredClientCertificateNeedsAttention() async throws {
        try await TLSOrigin.with(["-www", "-tls1_3"] + TLSOrigin.demandsCertificate) { origin in
            try await Replica.with(change: { $0.retries.maximumAttempts = 100 }, { _ in [] }) {
                replica, _ in
                var tls: JSONObject = ["ca_pem": .string(origin.authority)]
                // A reset may swallow the alert; then another attempt hears it.
                let without = try await submit(origin.url, tls: tls, replica)
                let failed = try await replica.reached(.failed, without)
                #expect(
                    failed.download.result["error"]?["code"]?.stringValue
                        == FailureCode.clientCertificateRequired.rawValue)
                #expect(failed.download.result["error"]?["class"] == "permanent")
                tls["client_certificate_pem"] = .string(origin.certificate)
                tls["client_key_pem"] = .string(origin.key)
                let with = try await submit(origin.url, tls: tls, replica)
                _ = try await replica.reached(.succeeded, with)
            }
        }
    }

    /// The rule holds whether the origin is asked at once or by a redirect.
    @Test func aClientCertificateGoesToTheOriginsThatItsSessionNamesAlone() async throws {
        try await TLSOrigin.with(["-www", "-tls1_3"] + TLSOrigin.demandsCertificate) { origin in
            try await Replica.with(
                change: { $0.retries.maximumAttempts = 100 },
                { _ in
                    Answer.status("302 Found", ["Location: \(origin.url)"])
                }
            ) { replica, plain in
                let tls: JSONObject = [
                    "ca_pem": .string(origin.authority),
                    "client_certificate_pem": .string(origin.certificate),
                    "client_key_pem": .string(origin.key),
                ]
                let home = "https://127.0.0.1:\(origin.port)"
                for url in [origin.url, plain.url("/away")] {
                    let named = try await submit(
                        url, tls: tls, for: SecretReach([home]), replica)
                    _ = try await replica.reached(.succeeded, named)
                    for others in [[], [plain.url("")], ["https://127.0.0.1"]] {
                        let id = try await submit(
                            url, tls: tls, for: SecretReach(others), replica)
                        let failed = try await replica.reached(.failed, id)
                        #expect(
                            failed.download.result["error"]?["code"]?.stringValue
                                == FailureCode.clientCertificateRequired.rawValue)
                    }
                }
            }
        }
    }

    @Test func proxyFailuresHaveTheirCodes() async throws {
        try await TLSOrigin.with(["-www"]) { origin in
            let tunnel = OriginTunnel(to: origin.port)
            let established = "HTTP/1.1 200 Connection established\r\n\r\n"
            let proxy = try OriginServer { request in
                guard request["proxy-authorization"] == "Basic dTpw" else {
                    return Answer.status("407 Proxy Authentication Required")
                }
                switch request.target {
                case "127.0.0.1:9403": return Answer.status("403 Forbidden")
                case "127.0.0.1:9502": return Answer.status("502 Bad Gateway")
                case _ where request.method == "CONNECT":
                    return [.send(established), .tunnel(tunnel)]
                default: return Answer.whole(content(10))
                }
            }
            defer { proxy.close() }
            try await Replica.with(change: { $0.retries.maximumAttempts = 2 }, { _ in [] }) {
                replica, _ in
                let plain: JSONObject = ["url": .string(proxy.url(""))]
                let members: JSONObject = [
                    "proxy": [
                        "url": .string(proxy.url("")), "username": "u", "password": "p",
                    ]
                ]
                // The proxy asks for authentication, both for a request in absolute form and for a
                // tunnel.
                for url in ["http://127.0.0.1:1234/a", "https://127.0.0.1:9443/"] {
                    let id = try await replica.submit(url, ["proxy": .object(plain)])
                    try await expect(
                        .proxyAuthenticationRequired, .attention, id, attempts: 1, replica)
                }
                let refused = try await replica.submit("https://127.0.0.1:9403/", members)
                try await expect(.proxyRefused, .attention, refused, attempts: 1, replica)
                let broken = try await replica.submit("https://127.0.0.1:9502/", members)
                try await expect(
                    .proxyConnectionFailed, .network, broken, attempts: 2, replica)
                // Through the tunnel the origin's own certificate counts.
                let stranger = try await replica.submit(origin.url, members)
                try await expect(
                    .serverCertificateUntrusted, .permanent, stranger, attempts: 1, replica)
            }
        }
    }
}
