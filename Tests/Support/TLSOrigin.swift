// Somebody else's TLS server: that of the openssl program, with an authority of its own.
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

    /// Ends the server at a word, or when nobody is left to say one.
    ///
    /// A run of tests that was killed leaves no server behind. Signals are blocked in what a test
    /// starts, but for this one.
    private static func keeper(_ server: String) -> String {
        """
        \(server) < /dev/null &
        server=$!
        read -r word
        kill -9 $server
        """
    }

    private static let openssl = "openssl s_server \"$@\""

    /// Ends TLS in front of a port of this machine; each piece that comes becomes one record.
    private static let relay = """
        python3 -c '
        import socket, ssl, sys, threading
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[4], sys.argv[6])
        context.minimum_version = context.maximum_version = ssl.TLSVersion[sys.argv[8]]
        def copy(source, sink):
            try:
                while piece := source.recv(65536):
                    sink.sendall(piece)
                sink.shutdown(socket.SHUT_WR)
            except OSError:
                pass
        def serve(client):
            try:
                inner = context.wrap_socket(client, server_side=True)
                server = socket.create_connection(("127.0.0.1", int(sys.argv[7])))
                threading.Thread(target=copy, args=(inner, server), daemon=True).start()
                copy(server, inner)
            except OSError:
                client.close()
        place = sys.argv[2].rsplit(":", 1)
        listener = socket.create_server((place[0], int(place[1])), backlog=64)
        while True:
            client = listener.accept()[0]
            threading.Thread(target=serve, args=(client,), daemon=True).start()
        ' "$@"
        """

    /// Runs a test beside TLS in front of a scripted origin.
    ///
    /// - Parameters:
    ///   - origin: what answers.
    ///   - version: `TLSv1_2` or `TLSv1_3`.
    ///   - test: what to do meanwhile.
    /// - Throws: what the test throws, or why there is no server.
    package static func with(
        inFrontOf origin: OriginServer, _ version: String,
        _ test: (TLSOrigin) async throws -> Void
    ) async throws {
        try await with(relay, ["\(origin.port)", version], answers: [:], test)
    }

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
        try await with(openssl, options, answers: answers, test)
    }

    private static func with(
        _ command: String, _ options: [String], answers: [String: String],
        _ test: (TLSOrigin) async throws -> Void
    ) async throws {
        let directory = URL(fileURLWithPath: "/tmp/lull-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: false)
        do {
            // A test inside of this one gets another authority.
            try await TLSAuthorities.shared.with { authority in
                try await run(command, options, answers, authority, in: directory, test)
            }
            try FileManager.default.removeItem(at: directory)
        } catch {
            try FileManager.default.removeItem(at: directory)
            throw error
        }
    }

    private static func run(
        _ command: String, _ options: [String], _ answers: [String: String],
        _ authority: TLSAuthority, in directory: URL, _ test: (TLSOrigin) async throws -> Void
    ) async throws {
        for (name, text) in authority.files {
            try Data(text.utf8).write(to: directory.appendingPathComponent(name))
        }
        for (name, answer) in answers {
            try Data(answer.utf8).write(to: directory.appendingPathComponent(name))
        }
        let port = try freePort()
        let server = try ChildShell(
            keeper(command),
            [
                "-accept", "127.0.0.1:\(port)", "-cert", "server.pem", "-key", "server.key",
            ] + options, in: directory.path)
        do {
            try await serve(port, authority, test)
        } catch {
            server.word()
            _ = try await server.end()
            throw error
        }
        server.word()
        _ = try await server.end()
    }

    private static func serve(
        _ port: Int, _ authority: TLSAuthority, _ test: (TLSOrigin) async throws -> Void
    ) async throws {
        let files = authority.files
        let origin = TLSOrigin(
            url: "https://127.0.0.1:\(port)/", port: port,
            identity: files["server.pem", default: ""] + files["server.key", default: ""],
            authority: files["ca.pem", default: ""], certificate: files["client.pem", default: ""],
            key: files["client.key", default: ""])
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
