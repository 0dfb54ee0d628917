public import Foundation
import Glibc
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A Lull with its own database, an origin of files, and a folder that goes away with them.
public final class World: @unchecked Sendable {
    // Safe because a test uses it from one task.

    /// The folder of everything.
    public let folder: URL
    /// Where Lull listens.
    public let server: URL
    /// Where the origin listens; files of `folder`/origin.
    public let origin: String
    private let port: UInt16
    private let settings: [String: String]
    private var lull: Program?
    private var nginx: Program?

    /// The built program; nil where `LULL_BINARY` does not name one.
    public static let binary = ProcessInfo.processInfo.environment["LULL_BINARY"]

    /// The root of the repository.
    public static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Starts both and waits until Lull is ready.
    ///
    /// - Parameters:
    ///   - rate: bytes a second of each answer of the origin; 0 for no limit.
    ///   - settings: further settings of Lull.
    /// - Throws: what stops one of them from starting.
    public init(rate: Int = 0, settings: [String: String] = [:]) async throws {
        folder = URL(filePath: "/tmp/lull-client-\(UUID().uuidString)")
        for name in ["origin", "nginx"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o755])
        }
        port = Program.freePort()
        server = try #require(URL(string: "http://127.0.0.1:\(port)"))
        let originPort = Program.freePort()
        origin = "http://127.0.0.1:\(originPort)"
        self.settings = settings
        try startOrigin(originPort, rate: rate)
        try await start()
    }

    private func startOrigin(_ port: UInt16, rate: Int) throws {
        let user = getuid() == 0 ? "user root;" : ""
        let limit = rate > 0 ? "limit_rate \(rate);" : ""
        let text = """
            daemon off; \(user) pid nginx.pid; error_log error.log; worker_processes 1;
            events { worker_connections 256; }
            http {
                access_log off; default_type application/octet-stream;
                client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
                uwsgi_temp_path uwsgi; scgi_temp_path scgi;
                server {
                    listen 127.0.0.1:\(port); root \(folder.path)/origin; \(limit)
                    location /taken { return 204; }
                    location /moved/ { rewrite ^/moved(/.*)$ $1 redirect; }
                    # It reads the whole body before it is answered.
                    location /in { client_max_body_size 10m; proxy_pass http://127.0.0.1:\(port)/taken; }
                }
            }
            """
        let place = folder.appending(path: "nginx")
        try Data(text.utf8).write(to: place.appending(path: "nginx.conf"))
        nginx = try Program(
            "/usr/sbin/nginx", ["-p", place.path, "-c", place.path + "/nginx.conf"],
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
            log: folder.appending(path: "nginx.log"))
    }

    /// Starts Lull, also again after its end, and waits until it is ready.
    public func start() async throws {
        let binary = try #require(World.binary)
        var environment = ProcessInfo.processInfo.environment.filter {
            ["PATH", "HOME", "LANG"].contains($0.key)
        }
        environment["LULL_LISTEN"] = "127.0.0.1:\(port)"
        environment["LULL_DATA_DIR"] = folder.path + "/data"
        for name in ["DOWNLOAD", "WEBHOOK", "UPLOAD"] {
            environment["LULL_\(name)_DESTINATIONS"] = "public,loopback"
        }
        environment.merge(settings) { $1 }
        lull = try Program(
            binary, ["serve"], environment: environment, log: folder.appending(path: "lull.log"))
        for _ in 0..<600 {
            if try await isReady() { return }
            try #require(lull?.isRunning == true, "lull ended: \(log())")
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("lull did not become ready: \(log())")
    }

    private func isReady() async throws -> Bool {
        do {
            let (_, response) = try await URLSession.shared.data(
                from: server.appending(path: "readyz"))
            return (response as? HTTPURLResponse)?.statusCode == 200
        } catch is URLError {
            return false
        }
    }

    private func log() -> String {
        (try? String(contentsOf: folder.appending(path: "lull.log"), encoding: .utf8)) ?? ""
    }

    /// Kills Lull, as a loss of power of its machine would.
    public func killLull() {
        lull?.kill()
    }

    /// Stops everything and removes the folder.
    public func end() throws {
        lull?.stop()
        lull?.kill()
        nginx?.stop()
        if let text = try? String(
            contentsOf: folder.appending(path: "data/postgres/data/postmaster.pid"), encoding: .utf8
        ),
            let pid = text.split(separator: "\n").first.flatMap({ Int32($0) })
        {
            _ = Glibc.kill(pid, SIGQUIT)
        }
        try FileManager.default.removeItem(at: folder)
    }

    /// Puts a file of random bytes at the origin, and gives its bytes.
    @discardableResult
    public func makeFile(_ name: String, length: Int) throws -> Data {
        var generator = SystemRandomNumberGenerator()
        var bytes = Data(capacity: length + 8)
        while bytes.count < length {
            withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) }
        }
        let file = Data(bytes.prefix(length))
        try file.write(to: folder.appending(path: "origin/\(name)"))
        return file
    }
}

extension World {
    /// A world that tests share which neither kill it nor count what it has; it ends with the process.
    public static func shared() async throws -> World {
        try await begun.value
    }

    private static let begun = Task {
        let world = try await World()
        kept.withLock { $0 = world }
        atexit {
            World.kept.withLock { world in
                // An error of the removal leaves a folder below /tmp, and nobody is there to hear it.
                try? world?.end()
            }
        }
        return world
    }

    private static let kept = Mutex<World?>(nil)
}

/// Runs a test over a world, and ends the world with it.
public func withWorld(
    rate: Int = 0, settings: [String: String] = [:], _ work: (World) async throws -> Void
) async throws {
    let world = try await World(rate: rate, settings: settings)
    do {
        try await work(world)
    } catch {
        try world.end()
        throw error
    }
    try world.end()
}
