// nginx with one worker: the origin of downloads, and the server that Lull's is compared with.
import Foundation

/// A running nginx on loopback.
final class NginxServer {
    let port: Int
    /// The port with TLS; nil without a certificate.
    let tlsPort: Int?
    private let command: Command
    private let plan: Plan

    var pid: Int32 { command.pid }

    /// Starts in a folder of that name, with the text in `location /`, and waits until it answers.
    ///
    /// - Parameters:
    ///   - plan: gives the folder.
    ///   - name: the folder's name.
    ///   - location: the text.
    ///   - addresses: the addresses where it listens, all of 127.0.0.0/8 and the first of them
    ///     127.0.0.1.
    ///   - listening: a further address, or a range of ports.
    ///   - certificate: for a port with TLS; nil for none.
    ///   - line: the line of each request in `access.log`; nil for no log.
    /// - Throws: `BenchmarkError` if it does not start.
    init(
        _ plan: Plan, name: String, location: String, addresses: [String] = ["127.0.0.1"],
        listening: String? = nil, certificate: Certificate? = nil, line: String? = nil
    ) throws {
        port = try FreePort.find()
        self.plan = plan
        let secure = try certificate.map { ($0, port: try FreePort.find()) }
        tlsPort = secure?.port
        let tls = secure.map { certificate, port in
            "listen 127.0.0.1:\(port) ssl; ssl_certificate \(certificate.file); "
                + "ssl_certificate_key \(certificate.key);"
        }
        let prefix = try plan.makeFolder(name)
        let further = listening.map { "listen \($0);" } ?? ""
        let log = line.map { "log_format line '\($0)'; access_log \(prefix)/access.log line;" }
        let user = geteuid() == 0 ? "user root;" : ""
        let port = port
        let listens = addresses.map { "listen \($0):\(port) backlog=4096;" }
        // nginx counts a listening socket as a connection.
        let connections = 4096 + addresses.count
        // A cached file keeps its descriptor open.
        let cached = 11_000
        let configuration = """
            daemon off; worker_processes 1; pid \(prefix)/pid; \(user)
            error_log \(prefix)/error.log; worker_rlimit_nofile \(2 * connections + cached);
            events { worker_connections \(connections); }
            http {
              \(log ?? "access_log off;") server_tokens off;
              sendfile on; tcp_nopush on; tcp_nodelay on; open_file_cache max=\(cached);
              keepalive_requests 1000000000;
              client_body_temp_path \(prefix)/body; proxy_temp_path \(prefix)/proxy;
              fastcgi_temp_path \(prefix)/fastcgi; uwsgi_temp_path \(prefix)/uwsgi;
              scgi_temp_path \(prefix)/scgi;
              server {
                \(listens.joined(separator: " ")) \(further) \(tls ?? "")
                location / { \(location) }
              }
            }

            """
        try Data(configuration.utf8).write(to: URL(filePath: "\(prefix)/nginx.conf"))
        command = try Command(
            "nginx", ["-p", prefix, "-c", "\(prefix)/nginx.conf"], plan: plan,
            log: "\(prefix)/output.log", environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
        try eventually("nginx answers", alive: command) {
            try HTTPConnection(port: port).exchange("GET", "/").status > 0
        }
    }

    func stop() { command.stop() }

    /// Does some work, and counts the worker's part of it if the plan has an instrument for nginx;
    /// see proc_pid_children in proc_pid_task(5).
    func counted<Value>(_ work: () throws -> Value) throws -> Value {
        guard let instrument = plan.instrument(of: "nginx") else { return try work() }
        let children = try String(
            contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
        guard let worker = children.split(separator: " ").first.flatMap({ Int32($0) }) else {
            throw BenchmarkError("nginx has no worker")
        }
        return try instrument.count(worker, plan, work)
    }
}
