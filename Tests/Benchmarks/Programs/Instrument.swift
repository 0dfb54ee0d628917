// What is counted of one side's work, in runs of their own: instruments slow a program down.
import Foundation

/// What a side needed for a unit of work.
struct Count: Codable {
    let calls: Double
    let switches: Double
    let allocations: Double
    /// Bytes that memcpy(3) and memmove(3) were called for; nil in results from before.
    var copied: Double?
    /// Bytes of the write-ahead log; nil for who writes none.
    var log: Double?

    /// Runs the work of a program twice, under strace(1) and with counted allocations.
    ///
    /// - Parameters:
    ///   - program: whose work is counted: a name on PATH, or `lull`.
    ///   - name: of the files that are written.
    ///   - plan: how everything else runs.
    ///   - work: the work, by a plan that has an instrument; it answers how many units it did.
    /// - Throws: what the work throws, and `BenchmarkError` where nothing was counted.
    init(
        of program: String, name: String, _ plan: Plan, work: (Plan) throws -> Int
    ) throws {
        let both = [Instrument.Kind.calls, .allocations].map {
            Instrument($0, of: program, file: plan.path("\(name)-\(program).\($0)"))
        }
        let units = try both.map { instrument in
            var plan = plan
            plan.instrument = instrument
            return Double(try work(plan))
        }
        guard let calls = both[0].counted, let allocations = both[1].counted,
            let switches = both[1].switches
        else { throw BenchmarkError("\(name): nothing was counted of \(program)") }
        self.calls = calls / units[0]
        self.allocations = allocations / units[1]
        copied = both[1].copied.map { $0 / units[1] }
        self.switches = switches / units[1]
        log = both[1].log.map { $0 / units[1] }
        Report.say("  \(name) \(program): \(text)")
    }

    /// What each side needs for a unit of its work; nothing where the plan does not count.
    ///
    /// - Parameters:
    ///   - sides: each a program and its work, as in `init`.
    ///   - name: of the files that are written.
    ///   - plan: how everything else runs.
    /// - Returns: the counts by the program's name.
    /// - Throws: as `init`.
    static func each(
        _ sides: [(program: String, work: (Plan) throws -> Int)], name: String, _ plan: Plan
    ) throws -> [String: Count] {
        guard try plan.counts else { return [:] }
        var counts: [String: Count] = [:]
        for side in sides {
            counts[side.program] = try Count(of: side.program, name: name, plan, work: side.work)
        }
        return counts
    }

    /// What two programs need that do one half of the work each.
    init(_ first: Count, and second: Count) {
        func sum(_ value: (Count) -> Double?) -> Double? {
            switch (value(first), value(second)) {
            case (nil, nil): nil
            case (let one, let other): (one ?? 0) + (other ?? 0)
            }
        }
        calls = first.calls + second.calls
        switches = first.switches + second.switches
        allocations = first.allocations + second.allocations
        copied = sum(\.copied)
        log = sum(\.log)
    }

    /// All in one line.
    private var text: String {
        let log = log.map { ", \(Report.number($0)) bytes of WAL" } ?? ""
        return "\(Report.number(calls)) system calls, \(Report.number(switches)) voluntary "
            + "switches, \(Report.number(allocations)) allocations, "
            + "\(Report.number(copied ?? 0)) bytes copied\(log)"
    }
}

/// Counts of one program.
final class Instrument {
    enum Kind { case calls, allocations }

    private let kind: Kind
    /// What tells this one from others in names of files.
    var name: String { "\(program)-\(kind)" }
    /// The program that it is for.
    let program: String
    private let file: String
    private var tracer: Command?
    private var earlier: (numbers: [UInt64], switches: [Int32: Int], log: Int?)?
    /// Calls or allocations.
    private(set) var counted: Double?
    private(set) var copied: Double?
    private(set) var switches: Double?
    /// Bytes of the write-ahead log; who runs a client of a database reads them beside it.
    var log: Double?

    init(_ kind: Kind, of program: String, file: String) {
        self.kind = kind
        self.program = program
        self.file = file
    }

    /// What the program is started with.
    var environment: [String: String] {
        let library = ProcessInfo.processInfo.environment["BENCH_PRELOAD"]
        guard kind == .allocations, let library else { return [:] }
        return ["LD_PRELOAD": library, "BENCH_ALLOCATIONS": file]
    }

    /// Counts a program that ends by itself; `body` runs it with the words given in front of its
    /// own, which may be none.
    func run<Value>(_ body: (_ prefix: [String]) throws -> Value) throws -> Value {
        let before = try Self.switchesOfChildren()
        let value = try body(kind == .calls ? ["strace", "-c", "-f", "-o", file] : [])
        if kind == .calls {
            counted = try Self.calls(in: file)
        } else {
            take(try Self.numbers(in: file), since: [0, 0])
            switches = Double(try Self.switchesOfChildren() - before)
        }
        return value
    }

    /// Counts what a server that runs does for some work; `log` as in `attach`.
    func count<Value>(
        _ pid: Int32, _ plan: Plan, log: (() throws -> Int)? = nil, _ work: () throws -> Value
    ) throws -> Value {
        try attach(to: pid, plan, log: log)
        defer { tracer?.interrupt() }
        let value = try work()
        try detach(from: pid, log: log)
        return value
    }

    /// Begins to count what a server does; `log` reads its place in the write-ahead log.
    func attach(to pid: Int32, _ plan: Plan, log: (() throws -> Int)? = nil) throws {
        guard kind == .calls else {
            earlier = (try Self.numbers(in: file), try Counters.switches(of: pid), try log?())
            return
        }
        let tracer = try Command(
            "strace", ["-c", "-f", "-o", file, "-p", String(pid)], plan: plan, log: "\(file).log")
        try eventually("strace is attached", alive: tracer) {
            (FileManager.default.contents(atPath: "\(file).log")?.count ?? 0) > 0
        }
        self.tracer = tracer
    }

    /// Ends the counting, once; the server still runs.
    func detach(from pid: Int32, log: (() throws -> Int)? = nil) throws {
        if let tracer {
            self.tracer = nil
            tracer.interrupt()
            counted = try Self.calls(in: file)
        } else if let earlier {
            self.earlier = nil
            take(try Self.numbers(in: file), since: earlier.numbers)
            switches = Double(
                Counters.switches(from: earlier.switches, to: try Counters.switches(of: pid)))
            if let log, let place = earlier.log { self.log = Double(try log() - place) }
        }
    }

    private func take(_ numbers: [UInt64], since earlier: [UInt64]) {
        counted = Double(numbers[0] - earlier[0])
        copied = Double(numbers[1] - earlier[1])
    }

    /// The sum that strace(1) wrote: % time, seconds, usecs/call, calls, errors if any, `total`.
    static func calls(in file: String) throws -> Double {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let line = text.split(separator: "\n").last { $0.hasSuffix("total") }
        let words = line?.split(separator: " ") ?? []
        guard words.count > 3, let calls = Double(words[3]) else {
            throw BenchmarkError("strace wrote \(text)")
        }
        return calls
    }

    /// What the preloaded library counted: allocations, and bytes that were copied.
    static func numbers(in file: String) throws -> [UInt64] {
        let data = FileManager.default.contents(atPath: file) ?? Data()
        guard data.count >= 16 else { throw BenchmarkError("\(file) has no counts") }
        return [data.prefix(8), data.dropFirst(8).prefix(8)].map {
            $0.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    private static func switchesOfChildren() throws -> Int {
        var usage = rusage()
        guard unsafe getrusage(RUSAGE_CHILDREN.rawValue, &usage) == 0 else {
            throw BenchmarkError("getrusage failed")
        }
        return usage.ru_nvcsw
    }
}
