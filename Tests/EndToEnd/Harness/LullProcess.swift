// The real program with a data folder of its own: started, killed, started again, stopped.
import Foundation

/// One replica of `lull serve` on a fixed loopback port, with the embedded database.
actor LullProcess {
    /// The base URL without a trailing slash; a restart does not change it.
    nonisolated let base: String

    private let scratch: Scratch
    private let command: [String]
    private let environment: [String: String]
    private let descriptors: Int?
    private var child: ChildProcess?

    /// Prepares a replica.
    ///
    /// `settings` are `LULL_*` variables on top of those that every test needs; an empty text
    /// removes one. `descriptors` is the number of files and sockets that the program may have
    /// open; `wrapper` is a command that becomes the program named behind it.
    init(
        in scratch: Scratch, settings: [String: String] = [:], descriptors: Int? = nil,
        wrapper: [String] = []
    ) async throws {
        let listen = settings["LULL_LISTEN"]?.split(separator: ",").first.map(String.init)
        let free = "127.0.0.1:\(try await freePort())"
        let address = listen ?? free
        self.scratch = scratch
        self.descriptors = descriptors
        base = "http://\(address)"
        command = wrapper + [try Repository.lull(), "serve"]
        let common = [
            "LULL_LISTEN": address,
            "LULL_DATA_DIR": scratch.file("data"),
            "LULL_DOWNLOAD_DESTINATIONS": "loopback",
            "LULL_WEBHOOK_DESTINATIONS": "loopback",
            "LULL_UPLOAD_DESTINATIONS": "loopback",
        ]
        environment = Environment.plain
            .merging(common) { $1 }
            .merging(settings) { $1 }
            // An empty text removes a setting that every test has.
            .filter { !$0.value.isEmpty }
    }

    /// Starts the program and waits until it is ready, or only until it answers.
    func start(untilReady: Bool = true) async throws {
        precondition(child == nil, "lull runs already")
        let limit = descriptors.map { "ulimit -n \($0); " } ?? ""
        let child = try ChildProcess(
            "/bin/bash", ["-c", limit + "exec \"$0\" \"$@\""] + command,
            environment: environment, log: scratch.file("lull.log"))
        self.child = child
        try await eventually("lull ready at \(base)") {
            guard child.isRunning else {
                throw HarnessError("lull ended with \(await child.status()):\n\(try logEnd())")
            }
            guard untilReady else {
                return try await Curl.get("\(base)/v1/downloads").status == 200 ? () : nil
            }
            return try await Curl.get("\(base)/readyz").status == 200 ? () : nil
        }
    }

    /// Starts the program again and again, as a supervisor does: it ends if it loses the database
    /// while it prepares it.
    func startSupervised() async throws {
        for attempt in 1...100 {
            do {
                return try await start()
            } catch {
                guard identifier == nil, attempt < 100 else { throw error }
                child = nil
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    /// The program's process number; nil while it does not run.
    var identifier: Int32? { child.flatMap { $0.isRunning ? $0.identifier : nil } }

    /// Kills the program with SIGKILL; its database continues, as an orphan.
    func killHard() async {
        child?.send(SIGKILL)
        _ = await child?.status()
        child = nil
    }

    /// Asks the program to end and returns its exit status.
    func stop() async -> Int32? {
        let status = await child?.stop()
        child = nil
        return status
    }

    /// Sends a signal to the program.
    func send(_ signal: Int32) { child?.send(signal) }

    /// Waits until the program ends by itself and returns its exit status.
    func end() async throws -> Int32? {
        let status = await child?.status()
        child = nil
        return status
    }

    /// Ends all processes that are left, also the orphaned database of a killed program.
    func sweep() async throws {
        await killHard()
        let pidFile = try scratch.read("data/postgres/data/postmaster.pid")
        guard let line = pidFile.split(separator: "\n").first, let pid = Int32(line) else { return }
        guard kill(pid, SIGQUIT) == 0 else { return }
        try await eventually("the end of the database \(pid)") { kill(pid, 0) == 0 ? nil : () }
    }

    /// The whole output of the program.
    func log() throws -> String { try scratch.read("lull.log") }

    /// The last lines of the program's log, for the report of a failure.
    func logEnd() throws -> String {
        try scratch.read("lull.log").split(separator: "\n").suffix(40).joined(separator: "\n")
    }
}
