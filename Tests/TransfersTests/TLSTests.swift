// Certificates of a caller's own: trusted for its transfers, shown to its origin, kept from others.
import Core
import Foundation
import Support
import Testing
import Transfers

@Suite struct TLSTests {
    @Test func aPrivateAuthorityIsTrustedOnlyWhereItWasGiven() async throws {
        try await TLSOrigin.with(["-www"]) { origin in
            try await withLab({ _ in [] }) { engine, _ in
                #expect(await origin.isUp(engine))
                let before = try await engine.fetch(origin.url)
                #expect(before.failure?.code == .serverCertificateUntrusted)
                let trusted = try await engine.fetch(origin.url) {
                    $0.tls = TransferTLS(
                        caPEM: origin.authority, certificatePEM: nil, keyPEM: nil)
                }
                #expect(trusted.failure == nil)
                #expect(trusted.head?.status == 200)
                // Neither the handle nor a kept connection carries the trust on.
                let after = try await engine.fetch(origin.url)
                #expect(after.failure?.code == .serverCertificateUntrusted)
                #expect(after.newConnections > 0)
            }
        }
    }

    @Test func aClientCertificateIsShownWhereItIsDemanded() async throws {
        try await TLSOrigin.with([
            "-www", "-Verify", "1", "-verify_return_error", "-CAfile", "ca.pem",
        ]) {
            origin in
            try await withLab({ _ in [] }) { engine, _ in
                #expect(await origin.isUp(engine))
                let without = try await engine.fetch(origin.url) {
                    $0.tls = TransferTLS(
                        caPEM: origin.authority, certificatePEM: nil, keyPEM: nil)
                }
                #expect(without.failure != nil)
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
}

/// A TLS server of the openssl program with an authority of its own.
private struct TLSOrigin {
    let url: String
    let authority: String
    let certificate: String
    let key: String

    static func with(_ options: [String], _ test: (TLSOrigin) async throws -> Void) async throws {
        let directory = URL(fileURLWithPath: "/tmp/lull-tls-\(UUID().uuidString)")
        let files = FileManager.default
        try files.createDirectory(at: directory, withIntermediateDirectories: false)
        defer {
            do {
                try files.removeItem(at: directory)
            } catch {
                Issue.record("\(directory.path) could not be removed: \(error)")
            }
        }
        let make = """
            set -e
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 \
                -subj /CN=lull-test-ca -keyout ca.key -out ca.pem
            printf 'subjectAltName=IP:127.0.0.1\\n' > extensions
            for name in server client; do
                openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
                    -subj /CN=$name -keyout $name.key -out $name.csr
                openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial \
                    -days 2 -extfile extensions -out $name.pem
            done
            """
        let maker = process(["/bin/sh", "-c", make], in: directory)
        // Waiting in a thread of the tests would hold up others.
        let (ends, end) = AsyncStream.makeStream(of: Int32.self)
        maker.terminationHandler = { end.yield($0.terminationStatus) }
        try maker.run()
        try #require(await ends.first { _ in true } == 0)
        // The program says its port too late when nobody reads it on a terminal.
        let port = try freePort()
        let server = process(
            [
                "/usr/bin/env", "openssl", "s_server", "-accept", "127.0.0.1:\(port)", "-cert",
                "server.pem", "-key", "server.key",
            ] + options, in: directory)
        try server.run()
        defer {
            // It was started with its signals blocked, but for this one.
            _ = kill(server.processIdentifier, SIGKILL)
            server.waitUntilExit()
        }
        func text(_ name: String) throws -> String {
            try String(contentsOf: directory.appendingPathComponent(name), encoding: .utf8)
        }
        try await test(
            TLSOrigin(
                url: "https://127.0.0.1:\(port)/", authority: try text("ca.pem"),
                certificate: try text("client.pem"), key: try text("client.key")))
    }

    private static func freePort() throws -> Int {
        let server = try OriginServer { _ in [] }
        server.close()
        return server.port
    }

    /// Waits until somebody answers there, whatever it is.
    func isUp(_ engine: TransferEngine) async -> Bool {
        await eventually {
            do {
                return try await engine.fetch(url).failure?.code != .cannotConnectToHost
            } catch {
                return false
            }
        }
    }

    private static func process(_ words: [String], in directory: URL) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        process.currentDirectoryURL = directory
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return process
    }
}
