// Counts one side's work in runs of their own, because instruments slow a program down.
import Foundation

/// The counts of a side for a unit of work.
struct Count: Codable {
    let calls: Double
    let switches: Double
    let allocations: Double
    /// Bytes copied by memcpy(3) and memmove(3); nil in older results.
    var copied: Double?
    /// Bytes of the write-ahead log; nil for a program that writes none.
    var log: Double?

    /// Runs the work of a program twice, under strace(1) and with counted allocations.
    ///
    /// - Parameters:
    ///   - program: the program whose work is counted: a name on PATH, or `lull`.
    ///   - name: the name of the files that are written.
    ///   - plan: the settings of the run.
    ///   - work: the work, by a plan that has an instrument; it returns the number of units that
    ///     it did.
    /// - Throws: the error of the work, and `BenchmarkError` if nothing was counted.
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

    /// The counts of each side for a unit of its work; empty if the plan does not count.
    ///
    /// - Parameters:
    ///   - sides: each a program and its work, as in `init`.
    ///   - name: the name of the files that are written.
    ///   - plan: the settings of the run.
    /// - Returns: the counts by the program's name.
    /// - Throws: the errors of `init`.
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

    /// The sum of the counts of two programs that do one half of the work each.
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

    /// The counts in one line.
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
    /// The name by which its files differ from those of other instruments.
    var name: String { "\(program)-\(kind)" }
    /// The program that it counts.
    let program: String
    private let file: String
    private var tracer: Command?
    private var earlier: (numbers: [UInt64], switches: [Int32: Int], log: Int?)?
    /// The number of calls or allocations.
    private(set) var counted: Double?
    private(set) var copied: Double?
    private(set) var switches: Double?
    /// Bytes of the write-ahead log; a benchmark whose client uses a database reads them beside the
    /// counts.
    var log: Double?

    init(_ kind: Kind, of program: String, file: String) {
        self.kind = kind
        self.program = program
        self.file = file
    }

    /// The environment that the program is started with.
    var environment: [String: String] {
        let library = ProcessInfo.processInfo.environment["BENCH_PRELOAD"]
        guard kind == .allocations, let library else { return [:] }
        return ["LD_PRELOAD": library, "BENCH_ALLOCATIONS": file]
    }

    /// Counts a program that ends by itself; `body` runs it with the given words before its own;
    /// there may be none.
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

    /// Counts the work of a running server; `log` as in `attach`.
    func count<Value>(
        _ pid: Int32, _ plan: Plan, log: (() throws -> Int)? = nil, _ work: () throws -> Value
    ) throws -> Value {
        try attach(to: pid, plan, log: log)
        defer { tracer?.interrupt() }
        let value = try work()
        try detach(from: pid, log: log)
        return value
    }

    /// Begins to count the work of a server; `log` reads its place in the write-ahead log.
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

    /// Ends the counting, once; the server continues to run.
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

    /// The counts of the preloaded library: allocations, and bytes that were copied.
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
