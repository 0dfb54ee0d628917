// Certificate authorities for tests: openssl creates each once, and tests take turns with them.
internal import Foundation

/// A certificate authority, and a server and a client certificate that it signed, as PEM texts by
/// file name.
struct TLSAuthority: Sendable {
    let files: [String: String]

    private struct Trouble: Error { let words: String }

    private static let names = [
        "ca.pem", "server.pem", "server.key", "client.pem", "client.key",
    ]

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

    /// Creates an authority with the openssl program.
    static func make() async throws -> TLSAuthority {
        let directory = URL(fileURLWithPath: "/tmp/lull-ca-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: false)
        let maker = try ChildShell(recipe, in: directory.path)
        guard try await maker.end() else {
            throw Trouble(words: "openssl made no certificates in \(directory.path)")
        }
        var files: [String: String] = [:]
        for name in names {
            files[name] = try String(
                contentsOf: directory.appendingPathComponent(name), encoding: .utf8)
        }
        try FileManager.default.removeItem(at: directory)
        return TLSAuthority(files: files)
    }
}

/// The authorities of a test process; each is lent to one test at a time.
actor TLSAuthorities {
    static let shared = TLSAuthorities()

    private var free: [TLSAuthority] = []

    /// Runs a body with an authority that no other test uses meanwhile.
    nonisolated func with(_ body: (TLSAuthority) async throws -> Void) async throws {
        let authority: TLSAuthority
        if let kept = await take() { authority = kept } else { authority = try await .make() }
        do {
            try await body(authority)
        } catch {
            await give(back: authority)
            throw error
        }
        await give(back: authority)
    }

    private func take() -> TLSAuthority? { free.popLast() }

    private func give(back authority: TLSAuthority) { free.append(authority) }
}
