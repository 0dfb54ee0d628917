// The receiver of `Tests/Receiver/tus.py`, with the members of its log that tests read.
import Foundation

/// A strict receiver that speaks tus 1.0 at two ports.
struct TusReceiver {
    /// One request that ended.
    struct Request: Decodable {
        let method: String
        let path: String
        let port: Int
        let status: Int
        let fault: String?
        let authorization: String?
        let key: String?
        let metadata: String?
    }

    let server: ForeignServer
    /// The other port.
    let other: Int
    private let folder: String
    private let scratch: Scratch

    /// Runs a test while the receiver listens.
    static func with(in scratch: Scratch, _ body: (TusReceiver) async throws -> Void) async throws {
        let folder = try scratch.folder("tus")
        let other = try await freePort()
        let receiver = TusReceiver(
            server: try await .tus(into: folder, other: other, in: scratch), other: other,
            folder: folder, scratch: scratch)
        do {
            try await receiver.server.start()
            try await body(receiver)
            await receiver.server.stop()
        } catch {
            await receiver.server.stop()
            throw error
        }
    }

    /// The destination of a file.
    ///
    /// - Parameters:
    ///   - behaviour: how the receiver acts.
    ///   - name: of the file there.
    ///   - members: further members, in JSON, each with its comma before it.
    /// - Returns: the member of a download, in JSON.
    func destination(_ behaviour: String, _ name: String, _ members: String = "") -> String {
        #"{"url":"\#(server.base)/\#(behaviour)/\#(name)","protocol":"tus"\#(members)}"#
    }

    /// All requests that ended, in the order of their ends.
    func requests() throws -> [Request] {
        let decoder = JSONDecoder()
        return try scratch.read("tus.log").split(separator: "\n").map {
            try decoder.decode(Request.self, from: Data($0.utf8))
        }
    }

    /// The SHA-256 of a file that is whole there; nil if none is.
    func digest(of name: String) async throws -> String? {
        let sum = try await ChildProcess.run("sha256sum", ["\(folder)/\(name)"])
        return sum.status == 0 ? sum.output.split(separator: " ").first.map(String.init) : nil
    }
}
