// Certificates of a client: trusted for its transfers, shown to its origin, hidden from others.
import Downloads
import Support
import Testing

@testable import Transfers

@Suite struct TLSTests {
    @Test func privateCAIsTrustedOnlyForItsRequest() async throws {
        try await TLSOrigin.with(["-www"]) { origin in
            try await withLab({ _ in [] }) { engine, _ in
                let before = try await engine.fetch(origin.url)
                #expect(before.failure?.code == .serverCertificateUntrusted)
                let trusted = try await engine.fetch(origin.url) {
                    $0.tls = TransferTLS(
                        caPEM: origin.authority, certificatePEM: nil, keyPEM: nil)
                }
                #expect(trusted.failure == nil)
                #expect(trusted.head?.status == 200)
                // Neither the handle nor a kept connection trusts it for another transfer.
                let after = try await engine.fetch(origin.url)
                #expect(after.failure?.code == .serverCertificateUntrusted)
                #expect(after.newConnections > 0)
                // The certificate is for the address, not for the name that leads to it.
                let named = try await engine.fetch("https://localhost:\(origin.port)/") {
                    $0.tls = TransferTLS(
                        caPEM: origin.authority, certificatePEM: nil, keyPEM: nil)
                }
                #expect(named.failure?.code == .serverCertificateUntrusted)
            }
        }
    }

    /// Under TLS 1.3 the alert comes after the client's side of the handshake is over.
    @Test func missingClientCertificateIsReportedUnderTLS13() async throws {
        try await TLSOrigin.with(["-www", "-tls1_3"] + TLSOrigin.demandsCertificate) { origin in
            try await withLab({ _ in [] }) { engine, _ in
                // The server may reset the connection, and the alert is lost with it.
                let isSaid = await eventually {
                    do {
                        return try await engine.fetch(origin.url) {
                            $0.tls = TransferTLS(
                                caPEM: origin.authority, certificatePEM: nil, keyPEM: nil)
                        }.failure?.code == .clientCertificateRequired
                    } catch {
                        return false
                    }
                }
                #expect(isSaid)
            }
        }
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func clientCertificateIsPresentedOnDemand(_ version: String) async throws {
        try await TLSOrigin.with(["-www", version] + TLSOrigin.demandsCertificate) { origin in
            try await withLab({ _ in [] }) { engine, _ in
                let without = try await engine.fetch(origin.url) {
                    $0.tls = TransferTLS(
                        caPEM: origin.authority, certificatePEM: nil, keyPEM: nil)
                }
                #expect(without.failure != nil)
                if version == "-tls1_2" {
                    // TLS 1.2 has no alert of its own for it.
                    #expect(without.failure?.code == .secureConnectionFailed)
                    let sentence = try #require(without.failure?.description)
                    #expect(sentence.contains("client certificate"))
                }
                let with = try await engine.fetch(origin.url) {
                    $0.tls = TransferTLS(
                        caPEM: origin.authority, certificatePEM: origin.certificate,
                        keyPEM: origin.key)
                }
                #expect(with.failure == nil, "\(String(describing: with.failure))")
                #expect(with.head?.status == 200)
                let mixed = try await engine.fetch(origin.url) {
                    $0.tls = TransferTLS(
                        caPEM: origin.authority, certificatePEM: origin.certificate,
                        keyPEM: "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n")
                }
                #expect(mixed.failure?.code == .clientCertificateRejected)
                #expect(mixed.failure?.isRetryable == false)
            }
        }
    }

    /// A certificate of another authority is shown, and refused by name under both versions.
    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func clientCertificateOfAnotherCAIsReportedAsRejected(_ version: String) async throws {
        try await TLSOrigin.with(["-www"]) { other in
            try await TLSOrigin.with(["-www", version] + TLSOrigin.demandsCertificate) { origin in
                try await withLab({ _ in [] }) { engine, _ in
                    let isSaid = await eventually {
                        do {
                            return try await engine.fetch(origin.url) {
                                $0.tls = TransferTLS(
                                    caPEM: origin.authority, certificatePEM: other.certificate,
                                    keyPEM: other.key)
                            }.failure?.code == .clientCertificateRequired
                        } catch {
                            return false
                        }
                    }
                    #expect(isSaid)
                }
            }
        }
    }

    @Test(arguments: [
        (
            "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required",
            116
        ),
        ("error:0A000418:SSL routines::tlsv1 alert unknown ca", 48),
        ("error:0A000410:SSL routines::sslv3 alert handshake failure", 40),
        ("error:0A000126:SSL routines::unexpected eof while reading", nil),
        ("error:0200045C:rsa routines::another library", nil),
        ("error:0A00045", nil), ("error:", nil), ("Recv failure: Connection reset by peer", nil),
        ("", nil), ("error:zzzzzzzz:", nil),
    ])
    func alertsAreReadFromOpenSSLsWords(_ text: String, _ alert: Int?) {
        #expect(TLSAlert.number(in: text) == alert)
        #expect(TLSAlert.isAboutCertificate(text) == (alert == 116 || alert == 48))
    }
}
