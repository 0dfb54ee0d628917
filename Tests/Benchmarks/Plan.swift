// The settings that all benchmarks of a run share: the number of pairs, the folder, the programs.
import Foundation

/// The settings of one run and its folder.
struct Plan {
    /// The number of pairs of peer and Lull.
    let pairs: Int
    /// A folder on a disk that any user may enter, because PostgreSQL runs as another one.
    let folder: String
    /// The program that is measured.
    let lull: String
    /// The environment of every program that is started: of Lull's variables only those that are
    /// set here.
    let environment: [String: String]
    /// The instrument that counts the work of one of the programs; nil while time is measured.
    var instrument: Instrument?
    private let keeps: Bool

    init() throws {
        let given = ProcessInfo.processInfo.environment
        guard let pairs = Int(given["LULL_BENCH_PAIRS"] ?? "5"), pairs > 0 else {
            throw BenchmarkError("LULL_BENCH_PAIRS: must be a number of pairs")
        }
        guard let lull = given["LULL_BINARY"] else {
            throw BenchmarkError("LULL_BINARY is not set: use scripts/bench")
        }
        self.pairs = pairs
        self.lull = lull
        keeps = given["LULL_BENCH_KEEP"] != nil
        environment = given.filter { !$0.key.hasPrefix("LULL_") }
        let parent = given["LULL_BENCH_DIR"] ?? "/var/tmp"
        folder = "\(parent)/lull-bench-\(getpid())"
        let kind = try Command.check("stat", ["-f", "-c", "%T", parent], plan: self)
        guard !kind.hasPrefix("tmpfs"), !kind.hasPrefix("ramfs") else {
            throw BenchmarkError(
                "\(parent) is in memory, where a sync costs nothing: set LULL_BENCH_DIR to a "
                    + "folder on a disk that every user may enter")
        }
        try makeFolder("")
    }

    /// The path of a name in the folder.
    func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// Makes a folder inside; nothing is removed before the end of the run, because ext4 creates
    /// files several times slower for minutes after mass deletes.
    @discardableResult
    func makeFolder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(
            atPath: path(name), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        return path(name)
    }

    /// Removes the folder, unless it is to be kept.
    func remove() throws {
        if !keeps { try FileManager.default.removeItem(atPath: folder) }
    }

    /// The instrument, if it is for this program.
    func instrument(of program: String) -> Instrument? {
        instrument?.program == program ? instrument : nil
    }

    /// Whether the benchmarks also count: LULL_BENCH_COUNTS=0 switches that off.
    var counts: Bool {
        get throws {
            let isOff = ProcessInfo.processInfo.environment["LULL_BENCH_COUNTS"] == "0"
            return try !isOff && has("strace")
        }
    }

    /// Whether a program is on PATH; if not, says so.
    func has(_ program: String) throws -> Bool {
        let found = try Command.run("sh", ["-c", "command -v \(program)"], plan: self).status == 0
        if !found { Report.say("  \(program) is not installed: left out") }
        return found
    }

    /// Throws if a program is missing.
    func need(_ program: String) throws {
        guard try has(program) else { throw BenchmarkError("\(program) is needed") }
    }
}
