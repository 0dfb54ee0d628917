// An origin that Lull's authors did not write: nginx with a prefix of its own, which can be cut.
import Foundation

/// nginx on a fixed loopback port, serving one folder.
actor NginxOrigin {
    /// The base URL without a trailing slash; a cut does not change it.
    nonisolated let base: String

    /// The folder whose files are served.
    nonisolated let files: String

    private let scratch: Scratch
    private var child: ChildProcess?

    /// Prepares an origin; `bytesPerSecond` is the rate of each connection, nil for no limit.
    init(in scratch: Scratch, bytesPerSecond: Int? = nil) async throws {
        let port = try await freePort()
        self.scratch = scratch
        base = "http://127.0.0.1:\(port)"
        files = try scratch.folder("origin")
        let prefix = try scratch.folder("nginx")
        // Started by root, the workers would become `nobody`, which need not exist everywhere.
        let user = geteuid() == 0 ? "user root;" : ""
        try scratch.write(
            """
            daemon off; worker_processes 1; pid \(prefix)/nginx.pid; \(user)
            error_log \(prefix)/error.log;
            events { worker_connections 1024; }
            http {
              access_log \(prefix)/access.log;
              client_body_temp_path \(prefix)/body; proxy_temp_path \(prefix)/proxy;
              fastcgi_temp_path \(prefix)/fastcgi; uwsgi_temp_path \(prefix)/uwsgi;
              scgi_temp_path \(prefix)/scgi;
              limit_rate \(bytesPerSecond ?? 0);
              server {
                listen 127.0.0.1:\(port); root \(files);
                # URLs that expire, as stores of objects sign them.
                location /signed/ {
                  secure_link $arg_signature,$arg_expires;
                  secure_link_md5 "$secure_link_expires$uri secret";
                  if ($secure_link != "1") { return 403; }
                }
              }
            }

            """, to: "nginx/nginx.conf")
    }

    /// Starts the origin and waits until it answers.
    func start() async throws {
        precondition(child == nil, "the origin runs already")
        let child = try ChildProcess(
            "/usr/bin/env",
            ["nginx", "-p", scratch.file("nginx"), "-c", scratch.file("nginx/nginx.conf")],
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
            log: scratch.file("nginx.log"))
        self.child = child
        try await eventually("nginx at \(base)") {
            guard child.isRunning else {
                throw HarnessError("nginx ended: \(try scratch.read("nginx.log"))")
            }
            // Status 403 means that an index of the folder is not allowed, so the server is there.
            return try await Curl.get("\(base)/").status == 403 ? () : nil
        }
    }

    /// Breaks every connection at once and refuses new ones until `start`.
    func cut() async {
        _ = await child?.stop()
        child = nil
    }

    /// The URL of a file below `signed/` that is answered until an instant, in seconds since 1970.
    nonisolated func sign(_ name: String, until: Int) async throws -> String {
        let made = try await ChildProcess.run(
            "sh",
            [
                "-c",
                "printf '%s' '\(until)/signed/\(name) secret' | openssl md5 -binary "
                    + "| openssl base64 | tr '+/' '-_' | tr -d '='",
            ])
        let signature = made.output.filter { !$0.isWhitespace }
        return "\(base)/signed/\(name)?signature=\(signature)&expires=\(until)"
    }

    /// Makes a file of random bytes and returns its SHA-256 in hexadecimal.
    nonisolated func makeFile(_ name: String, length: Int) async throws -> String {
        let made = try await ChildProcess.run(
            "sh", ["-c", "head -c \(length) /dev/urandom | tee '\(files)/\(name)' | sha256sum"])
        guard made.status == 0, let digest = made.output.split(separator: " ").first else {
            throw HarnessError("cannot make \(name): \(made.output)")
        }
        return String(digest)
    }
}
