// Many single POSTs over many connections, from one thread that only waits in poll(2).
import Foundation

/// The results of a run of POSTs.
struct PostRun {
    /// The answers' bodies, in the order of the requests.
    private(set) var answers: [[UInt8]]

    /// Sends every body once and waits for every answer, which must be 201; each connection has one
    /// request under way and is kept as long as the server keeps it.
    init(port: Int, path: String, bodies: [String], connections: Int) throws {
        answers = Array(repeating: [], count: bodies.count)
        var open = try (0..<connections).map { _ in try HTTPConnection(port: port) }
        var next = 0
        var underWay = Array(repeating: -1, count: connections)
        func sendNext(_ slot: Int) throws {
            guard next < bodies.count else { return underWay[slot] = -1 }
            underWay[slot] = next
            try open[slot].send("POST", path, body: bodies[next])
            next += 1
        }
        for slot in open.indices { try sendNext(slot) }
        var left = bodies.count
        while left > 0 {
            var watched = open.map {
                pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
            }
            guard unsafe poll(&watched, nfds_t(watched.count), 30_000) > 0 else {
                throw BenchmarkError("no answer to a POST for 30 s")
            }
            for slot in watched.indices where watched[slot].revents != 0 && underWay[slot] >= 0 {
                guard let answer = try open[slot].receive() else { continue }
                guard answer.status == 201 else {
                    throw BenchmarkError(
                        "a POST was answered \(answer.status): "
                            + String(decoding: answer.body, as: UTF8.self))
                }
                answers[underWay[slot]] = answer.body
                left -= 1
                if answer.closes { open[slot] = try HTTPConnection(port: port) }
                try sendNext(slot)
            }
        }
    }
}
