// A TLS server for tests: that of the openssl program, with its own authority.
internal import Foundation
internal import Glibc

/// An origin at 127.0.0.1 with a certificate for that address only.
package struct TLSOrigin: Sendable {
    /// `https://127.0.0.1:port/`.
    package let url: String
    /// The port of the server.
    package let port: Int
    /// The server's certificate and key, as PEM.
    package let identity: String
    /// The authority that signed all certificates, as PEM.
    package let authority: String
    /// A client certificate that the server accepts.
    package let certificate: String
    /// The key of the client certificate.
    package let key: String

    /// Options with which the server requires a client certificate and ends the connection without
    /// one.
    package static let demandsCertificate = [
        "-Verify", "1", "-verify_return_error", "-CAfile", "ca.pem",
    ]

    private struct Trouble: Error { let words: String }

    /// The shell script that ends the server at a word, or when the test process is gone.
    ///
    /// A killed run of tests then leaves no server behind. Tests start processes with all signals
    /// blocked but this one.
    private static func keeper(_ server: String) -> String {
        """
        \(server) < /dev/null &
        server=$!
        read -r word
        kill -9 $server
        """
    }

    private static let openssl = "openssl s_server \"$@\""

    /// Ends TLS in front of a port of this machine; each received piece becomes one record.
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

    /// Runs a test with TLS in front of a scripted origin.
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

    /// Answers a request before it has read the body, and closes the connection.
    private static let hasty = """
        python3 -c '
        import socket, ssl, sys, threading
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[4], sys.argv[6])
        context.minimum_version = context.maximum_version = ssl.TLSVersion[sys.argv[8]]
        def serve(client):
            try:
                inner = context.wrap_socket(client, server_side=True)
                head = b""
                while b"\\r\\n\\r\\n" not in head:
                    piece = inner.recv(1)
                    if not piece:
                        return
                    head += piece
                inner.sendall(b"HTTP/1.1 100 Continue\\r\\n\\r\\n")
                left = int(sys.argv[7])
                while left > 0:
                    piece = inner.recv(min(left, 16384))
                    if not piece:
                        return
                    left -= len(piece)
                inner.sendall(b"HTTP/1.1 413 X\\r\\nContent-Length: 5\\r\\n\\r\\nwords")
                inner.close()
            except OSError:
                client.close()
        place = sys.argv[2].rsplit(":", 1)
        listener = socket.create_server((place[0], int(place[1])), backlog=64)
        while True:
            client = listener.accept()[0]
            threading.Thread(target=serve, args=(client,), daemon=True).start()
        ' "$@"
        """

    /// Runs a test with a server that answers 413 after some bytes of the body, and closes the
    /// connection although more have come.
    ///
    /// - Parameters:
    ///   - count: how many bytes it reads.
    ///   - version: `TLSv1_2` or `TLSv1_3`.
    ///   - test: what to do meanwhile.
    /// - Throws: what the test throws, or why there is no server.
    package static func with(
        answerAfter count: Int, _ version: String, _ test: (TLSOrigin) async throws -> Void
    ) async throws {
        try await with(hasty, ["\(count)", version], answers: [:], test)
    }

    /// Runs a test with a server, and ends the server.
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
            // A nested test gets another authority.
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

    /// Returns a port that was free a moment ago: openssl prints the port it chose too late when
    /// its output is no terminal.
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
