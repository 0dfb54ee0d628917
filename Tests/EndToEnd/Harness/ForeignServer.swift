// Servers and proxies that Lull's authors did not write, each on a port of its own.
import Foundation

/// One foreign program that serves HTTP on loopback, and can be cut and started again.
actor ForeignServer {
    /// The base URL without a trailing slash; a cut does not change it.
    nonisolated let base: String

    private let name: String
    private let command: [String]
    private let scratch: Scratch
    private let probe: String?
    private var child: ChildProcess?

    private init(
        _ name: String, port: Int, command: [String], probe: String?, in scratch: Scratch
    ) {
        self.name = name
        base = "http://127.0.0.1:\(port)"
        self.command = command
        self.probe = probe
        self.scratch = scratch
    }

    /// HAProxy before an origin, with a redirect and an overloaded page of its own.
    static func haproxy(before origin: String, in scratch: Scratch) async throws -> ForeignServer {
        let port = try await freePort()
        try scratch.write(
            """
            defaults
              mode http
              timeout connect 5s
              timeout client 60s
              timeout server 60s
            frontend front
              bind 127.0.0.1:\(port)
              http-request return status 200 if { path /up }
              http-request redirect code 302 location /file.bin if { path /moved }
              http-request return status 503 hdr Retry-After 7 if { path /busy }
              http-request return status 429 hdr Retry-After 9 if { path /less }
              default_backend back
            backend back
              server origin \(origin.dropFirst("http://".count))

            """, to: "haproxy.cfg")
        return ForeignServer(
            "haproxy", port: port, command: ["haproxy", "-db", "-f", scratch.file("haproxy.cfg")],
            probe: "/up", in: scratch)
    }

    /// nginx with the file that the compose files start it with, before replicas on loopback.
    static func shippedNginx(
        before replicas: [String], in scratch: Scratch
    ) async throws -> ForeignServer {
        let port = try await freePort()
        let folder = try scratch.folder("proxy")
        let shipped = String(
            decoding: try Data(contentsOf: URL(filePath: Repository.path("docker/nginx.conf"))),
            as: UTF8.self)
        var text = shipped.replacing(" /tmp/", with: " \(folder)/")
            .replacing("listen 8080;", with: "listen 127.0.0.1:\(port);")
        for (name, base) in zip(["lull-a:8080", "lull-b:8080"], replicas) {
            text = text.replacing(name, with: base.replacing("http://", with: ""))
        }
        // Started by root, the workers would run as a user who may not enter the folder.
        if geteuid() == 0 { text = "user root;\n" + text }
        try scratch.write(text, to: "proxy/nginx.conf")
        let command = ["nginx", "-e", "/dev/stderr", "-c", "\(folder)/nginx.conf"]
        let checked = try await ChildProcess.run(command[0], command.dropFirst() + ["-t"])
        guard checked.status == 0 else { throw HarnessError("nginx -t: \(checked.output)") }
        return ForeignServer(
            "proxy", port: port, command: command + ["-g", "daemon off;"], probe: "/livez",
            in: scratch)
    }

    /// HAProxy as a TLS server with a certificate and its key, before an origin without TLS.
    static func tlsHaproxy(
        certificate pem: String, before origin: String, in scratch: Scratch
    ) async throws -> ForeignServer {
        let port = try await freePort()
        try scratch.write(pem, to: "server.pem")
        try scratch.write(
            """
            defaults
              mode http
              timeout connect 5s
              timeout client 60s
              timeout server 60s
            listen tls
              bind 127.0.0.1:\(port) ssl crt \(scratch.file("server.pem"))
              server origin \(origin.dropFirst("http://".count))

            """, to: "tls.cfg")
        return ForeignServer(
            "tls", port: port, command: ["haproxy", "-db", "-f", scratch.file("tls.cfg")],
            probe: nil, in: scratch)
    }

    /// Caddy with files of a folder, and the origin behind it under `/proxied`.
    static func caddy(
        files: String, before origin: String, in scratch: Scratch
    ) async throws -> ForeignServer {
        let port = try await freePort()
        let home = try scratch.folder("caddy")
        try scratch.write(
            """
            {
              admin off
              auto_https off
              storage file_system \(home)
            }
            http://127.0.0.1:\(port) {
              handle /up {
                respond up
              }
              redir /moved /file.bin 308
              handle_path /proxied/* {
                reverse_proxy \(origin)
              }
              handle {
                root * \(files)
                file_server
              }
            }

            """, to: "Caddyfile")
        return ForeignServer(
            "caddy", port: port,
            command: [
                "env", "HOME=\(home)", "caddy", "run", "--adapter", "caddyfile", "--config",
                scratch.file("Caddyfile"),
            ], probe: "/up", in: scratch)
    }

    /// nginx as a folder of WebDAV (RFC 4918) that takes files by PUT.
    ///
    /// - Parameters:
    ///   - folder: gets the files; a line of `requests.log` beside it tells each request.
    ///   - scratch: has the configuration.
    /// - Returns: the server.
    /// - Throws: `HarnessError` where no port is free, or the error of writing.
    static func webdav(into folder: String, in scratch: Scratch) async throws -> ForeignServer {
        let port = try await freePort()
        let prefix = try scratch.folder("webdav-\(port)")
        let user = geteuid() == 0 ? "user root;" : ""
        try scratch.write(
            """
            daemon off; worker_processes 1; pid \(prefix)/nginx.pid; \(user)
            error_log \(prefix)/error.log;
            events { worker_connections 1024; }
            http {
              log_format request '$request_method $uri $status $http_content_type '
                '$http_repr_digest $http_content_disposition $http_authorization';
              access_log \(folder).log request;
              client_body_temp_path \(prefix)/body; proxy_temp_path \(prefix)/proxy;
              fastcgi_temp_path \(prefix)/fastcgi; uwsgi_temp_path \(prefix)/uwsgi;
              scgi_temp_path \(prefix)/scgi;
              server {
                listen 127.0.0.1:\(port); root \(folder);
                location /up { return 200; }
                location / {
                  client_max_body_size 0; dav_methods PUT DELETE; create_full_put_path on;
                }
              }
            }

            """, to: "webdav-\(port)/nginx.conf")
        return ForeignServer(
            "webdav-\(port)", port: port,
            command: ["nginx", "-p", prefix, "-c", "\(prefix)/nginx.conf"], probe: "/up",
            in: scratch)
    }

    /// The receiver of files in `Tests/Receiver/taker.py`, whose paths choose what it does.
    ///
    /// - Parameters:
    ///   - folder: gets the files; the lines of `FOLDER.log` tell each request.
    ///   - more: further ports at which it listens.
    ///   - scratch: has its output.
    /// - Returns: the server.
    /// - Throws: `HarnessError` where no port is free, or there is no Python.
    static func taker(
        into folder: String, at more: [Int] = [], in scratch: Scratch
    ) async throws -> ForeignServer {
        let port = try await freePort()
        return ForeignServer(
            "taker-\(port)", port: port,
            command: [
                try Repository.python(), Repository.path("Tests/Receiver/taker.py"), folder,
                "\(folder).log", "\(port)",
            ] + more.map { "\($0)" }, probe: "/up", in: scratch)
    }

    /// The receiver that speaks tus in `Tests/Receiver/tus.py`, whose paths choose how it fails.
    ///
    /// - Parameters:
    ///   - folder: gets the files; the lines of `FOLDER.log` tell each request.
    ///   - other: a second port, which is another origin of the same uploads.
    ///   - scratch: has its output.
    /// - Returns: the server.
    /// - Throws: `HarnessError` where no port is free, or there is no Python.
    static func tus(
        into folder: String, other: Int, in scratch: Scratch
    ) async throws -> ForeignServer {
        let port = try await freePort()
        return ForeignServer(
            "tus-\(port)", port: port,
            command: [
                try Repository.python(), Repository.path("Tests/Receiver/tus.py"), folder,
                "\(folder).log", "\(port)", "\(other)",
            ], probe: "/up", in: scratch)
    }

    /// tuspyserver of PyPI on uvicorn, which creates uploads at `/files`.
    static func tuspyserver(into folder: String, in scratch: Scratch) async throws -> ForeignServer
    {
        let port = try await freePort()
        return ForeignServer(
            "tuspyserver", port: port,
            command: [
                "env", "TUS_FOLDER=\(folder)", try Repository.python(), "-m", "uvicorn",
                "--app-dir", Repository.path("Tests/Receiver"), "--host", "127.0.0.1", "--port",
                "\(port)", "tus_app:app",
            ], probe: "/up", in: scratch)
    }

    /// httpbin of PyPI on gunicorn.
    static func httpbin(in scratch: Scratch) async throws -> ForeignServer {
        let port = try await freePort()
        return ForeignServer(
            "httpbin", port: port,
            command: [
                try Repository.python(), "-m", "gunicorn", "--bind", "127.0.0.1:\(port)",
                "--threads", "8", "httpbin:app",
            ], probe: "/status/200", in: scratch)
    }

    /// Starts the server and waits until it answers.
    func start() async throws {
        precondition(child == nil, "\(name) runs already")
        let child = try ChildProcess(
            "/usr/bin/env", command, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
            log: scratch.file("\(name).log"))
        self.child = child
        try await eventually("\(name) at \(base)") {
            guard child.isRunning else {
                throw HarnessError("\(name) ended: \(try scratch.read("\(name).log"))")
            }
            // A TLS server may answer plain text in any way, so an accepted connection is enough.
            guard let probe else { return try await isListening() ? () : nil }
            return try await Curl.get(base + probe).status == 200 ? () : nil
        }
    }

    private func isListening() async throws -> Bool {
        let port = base.split(separator: ":").last ?? ""
        return try await ChildProcess.run(
            "bash", ["-c", "exec 3<>/dev/tcp/127.0.0.1/\(port)"]
        ).status == 0
    }

    /// Runs a test while the server runs, and ends the server whatever happens.
    func during(_ body: () async throws -> Void) async throws {
        do {
            try await start()
            try await body()
            await stop()
        } catch {
            await stop()
            throw error
        }
    }

    /// Breaks every connection at once and refuses new ones until `start`.
    func cut() async throws {
        let workers = try child.map { try Self.children(of: $0.identifier) } ?? []
        child?.send(SIGKILL)
        // Workers of a killed server would serve for a while longer.
        for worker in workers { _ = kill(worker, SIGKILL) }
        _ = await child?.status()
        child = nil
    }

    private static func children(of process: Int32) throws -> [Int32] {
        try String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
            .split(separator: " ").compactMap { Int32($0) }
    }

    /// Ends the server and its workers.
    func stop() async {
        _ = await child?.stop()
        child = nil
    }
}
