// Failing system calls, one at a time, by strace on the running program.
import Foundation

/// A fault at the Nth call of a name in each thread.
struct Injection: CustomStringConvertible, Sendable {
    let call: String
    /// The fault: `error=EIO`, `error=ENOSPC` or `signal=KILL`.
    let what: String
    let when: Int

    var description: String { "\(call):\(what):when=\(when)" }
    var kills: Bool { what == "signal=KILL" }

    /// Every call between an accepted byte and a published file.
    static let calls = [
        "openat", "fallocate", "pwrite64", "fdatasync", "fsync", "syncfs", "renameat2", "unlinkat",
    ]

    static let short =
        [
            ("openat", "error=ENOSPC"), ("fallocate", "error=ENOSPC"), ("pwrite64", "error=EIO"),
            ("fdatasync", "error=EIO"), ("fsync", "error=EIO"), ("syncfs", "error=EIO"),
            ("unlinkat", "error=EIO"), ("renameat2", "error=ENOSPC"), ("pwrite64", "signal=KILL"),
            ("syncfs", "signal=KILL"), ("renameat2", "signal=KILL"), ("unlinkat", "signal=KILL"),
        ].map { Injection(call: $0, what: $1, when: 1) } + refused

    /// The calls of a file system that refuses writes past the page cache: at the open, and later.
    private static let refused = [
        Injection(call: "openat", what: "error=EINVAL", when: 2),
        Injection(call: "pwrite64", what: "error=EINVAL", when: 3),
        Injection(call: "pwrite64", what: "signal=KILL", when: 6),
    ]

    static let full =
        refused
        + calls.flatMap { call in
            ["error=EIO", "error=ENOSPC", "signal=KILL"].flatMap { what in
                (1...4).map { Injection(call: call, what: what, when: $0) }
            }
        }

    /// Whether this machine allows a process to be traced.
    static func isPossible() async -> Bool {
        do {
            return try await ChildProcess.run("strace", ["-qq", "-o", "/dev/null", "true"]).status
                == 0
        } catch {
            return false
        }
    }
}

/// The strace of one process.
struct Tracer {
    private let child: ChildProcess
    private let output: String

    /// Attaches; returns when the process is traced.
    init(_ injection: Injection, to process: Int32, in scratch: Scratch) async throws {
        output = scratch.file("strace")
        try scratch.write("", to: "strace")
        var arguments = [
            "strace", "-f", "-qq", "-p", "\(process)", "-o", output, "-e",
            "trace=\(injection.call)", "-e", "inject=\(injection)",
        ]
        if injection.call == "openat" || injection.call == "unlinkat" {
            arguments += ["-P", scratch.file("data/content")]
        }
        let child = try ChildProcess(
            "/usr/bin/env", arguments, environment: Environment.plain,
            log: scratch.file("strace.log"))
        self.child = child
        try await eventually("strace at work", every: .milliseconds(10)) {
            guard child.isRunning else {
                throw HarnessError("strace ended: \(try scratch.read("strace.log"))")
            }
            let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            return status.contains("TracerPid:\t\(child.identifier)\n") ? () : nil
        }
    }

    /// Detaches from the process.
    ///
    /// - Returns: whether a fault was injected.
    func detach() async throws -> Bool {
        child.send(SIGTERM)
        _ = await child.status()
        let text = try String(contentsOfFile: output, encoding: .utf8)
        return text.contains("(INJECTED)") || text.contains("killed by SIGKILL")
    }
}
