// The receiver of `Tests/Receiver/taker.py`, with the members of its log that tests read.
import Foundation

/// A receiver at several ports, which takes files well or badly.
struct Taker {
    /// One request that ended.
    struct Request: Decodable {
        let target: String
        let name: String
        let status: Int
        let note: String
        /// Whether all bytes of the body arrived.
        let whole: Bool
        let sha256: String
        let authorization: String?
    }

    let server: ForeignServer
    /// The base URL of each port.
    let bases: [String]
    private let folder: String
    private let scratch: Scratch

    /// Prepares a receiver.
    init(ports: Int, in scratch: Scratch) async throws {
        self.scratch = scratch
        folder = try scratch.folder("taken")
        var more: [Int] = []
        while more.count < ports { more.append(try await freePort()) }
        server = try await .taker(into: folder, at: more, in: scratch)
        bases = more.map { "http://127.0.0.1:\($0)" }
    }

    /// Runs a test while the receiver listens.
    static func with(
        ports: Int = 1, in scratch: Scratch, _ body: (Taker) async throws -> Void
    ) async throws {
        let taker = try await Taker(ports: ports, in: scratch)
        do {
            try await taker.server.start()
            try await body(taker)
            await taker.server.stop()
        } catch {
            await taker.server.stop()
            throw error
        }
    }

    /// All requests that ended, in the order of their ends.
    func requests() throws -> [Request] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try scratch.read("taken.log").split(separator: "\n").map {
            try decoder.decode(Request.self, from: Data($0.utf8))
        }
    }

    /// The requests with this name of a file.
    func requests(of name: String) throws -> [Request] {
        try requests().filter { $0.name == name }
    }

    /// The SHA-256 of a file that was taken; nil if none was.
    func digest(of name: String) async throws -> String? {
        let sum = try await ChildProcess.run("sha256sum", ["\(folder)/\(name)"])
        return sum.status == 0 ? sum.output.split(separator: " ").first.map(String.init) : nil
    }
}
