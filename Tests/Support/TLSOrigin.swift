// Somebody else's TLS server: that of the openssl program, with an authority made for one test.
internal import Foundation
internal import Glibc

/// An origin at 127.0.0.1 with a certificate for that address only.
package struct TLSOrigin: Sendable {
    /// `https://127.0.0.1:port/`.
    package let url: String
    /// The port that it listens on.
    package let port: Int
    /// Its own certificate and key, as PEM.
    package let identity: String
    /// The authority that signed everything, as PEM.
    package let authority: String
    /// A client's certificate that it accepts.
    package let certificate: String
    /// The key of that certificate.
    package let key: String

    /// What makes it ask for a client's certificate and end the connection without one.
    package static let demandsCertificate = [
        "-Verify", "1", "-verify_return_error", "-CAfile", "ca.pem",
    ]

    private struct Trouble: Error { let words: String }

    private static let recipe = """
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

    /// Ends the server at a word, or when nobody is left to say one.
    ///
    /// A run of tests that was killed leaves no server behind. Signals are blocked in what a test
    /// starts, but for this one.
    private static let keeper = """
        openssl s_server "$@" < /dev/null &
        server=$!
        read -r word
        kill -9 $server
        """

    /// Runs a test beside a server and takes it away.
    ///
    /// - Parameters:
    ///   - options: further ones of openssl-s_server(1), such as `-www`.
    ///   - answers: whole answers by their path, for the option `-HTTP`.
    ///   - test: what to do meanwhile.
    /// - Throws: what the test throws, or why there is no server.
    package static func with(
        _ options: [String], answers: [String: String] = [:],
        _ test: (TLSOrigin) async throws -> Void
    ) async throws {
        let directory = URL(fileURLWithPath: "/tmp/lull-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: false)
        do {
            try await run(options, answers, in: directory, test)
            try FileManager.default.removeItem(at: directory)
        } catch {
            try FileManager.default.removeItem(at: directory)
            throw error
        }
    }

    private static func run(
        _ options: [String], _ answers: [String: String], in directory: URL,
        _ test: (TLSOrigin) async throws -> Void
    ) async throws {
        let maker = try ChildShell(recipe, in: directory.path)
        guard try await maker.end() else {
            throw Trouble(words: "openssl made no certificates")
        }
        for (name, answer) in answers {
            try Data(answer.utf8).write(to: directory.appendingPathComponent(name))
        }
        let port = try freePort()
        let server = try ChildShell(
            keeper,
            [
                "-accept", "127.0.0.1:\(port)", "-cert", "server.pem", "-key", "server.key",
            ] + options, in: directory.path)
        do {
            try await serve(port, in: directory, test)
        } catch {
            server.word()
            _ = try await server.end()
            throw error
        }
        server.word()
        _ = try await server.end()
    }

    private static func serve(
        _ port: Int, in directory: URL, _ test: (TLSOrigin) async throws -> Void
    ) async throws {
        func text(_ name: String) throws -> String {
            try String(contentsOf: directory.appendingPathComponent(name), encoding: .utf8)
        }
        let origin = TLSOrigin(
            url: "https://127.0.0.1:\(port)/", port: port,
            identity: try text("server.pem") + text("server.key"), authority: try text("ca.pem"),
            certificate: try text("client.pem"), key: try text("client.key"))
        try await origin.waitUntilUp()
        try await test(origin)
    }

    /// A port that was free a moment ago: the program says its own too late when nobody reads it
    /// on a terminal.
    private static func freePort() throws -> Int {
        let server = try OriginServer { _ in [] }
        server.close()
        return server.port
    }

    private func waitUntilUp() async throws {
        for _ in 0..<3000 {
            if let connection = OriginTunnel.connect(to: port) {
                _ = close(connection)
                return
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Trouble(words: "openssl s_server does not listen")
    }
}
