// The client of `Tests/Receiver/stager.py`, which brings files to uploads through kills.
import Foundation
import Support
import Testing

/// A client that keeps six uploads open, the receivers of their files, and the rules that hold for
/// each of them at the end.
struct Stager {
    /// The line of an upload that has ended.
    private struct Line: Decodable {
        let id: String
        let name: String
        let kind: String
        let file: Int
        let isStored: Bool
        let state: String
        let faults: [String]
        /// The number of answers by method and status, and of requests without one.
        let counts: [String: Int]
    }

    /// The lengths of the files; the longest is sent to a store in two parts.
    private static let lengths = [300_000, 3_000_000, 20_000_000]

    private let scratch: Scratch
    private let taker: Taker
    private let store: StoreWorld
    private let digests: [String]
    private let child: ChildProcess

    /// Starts the client.
    ///
    /// - Parameters:
    ///   - seed: equal ones give equal uploads.
    ///   - bases: the replicas, each of which gets any request.
    ///   - origin: makes the files.
    ///   - taker: gets every other file.
    ///   - store: gets the rest.
    ///   - scratch: has the log.
    /// - Throws: the errors of files and processes.
    init(
        seed: UInt64, to bases: [String], files origin: NginxOrigin, _ taker: Taker,
        _ store: StoreWorld, in scratch: Scratch
    ) async throws {
        (self.scratch, self.taker, self.store) = (scratch, taker, store)
        var (names, digests): ([String], [String]) = ([], [])
        for length in Self.lengths {
            digests.append(try await origin.makeFile("file-\(length)", length: length))
            names.append("\(origin.files)/file-\(length)")
        }
        self.digests = digests
        child = try ChildProcess(
            try Repository.python(),
            [
                Repository.path("Tests/Receiver/stager.py"), "\(seed)", scratch.file("staged.log"),
                scratch.file("stop"), "\(taker.bases[0])/slow/8000",
            ] + bases + ["--"] + names,
            environment: Environment.plain, log: scratch.file("stager.log"))
    }

    /// Runs a test while the client runs, and ends it whatever happens.
    func during(_ body: (Stager) async throws -> Void) async throws {
        do {
            try await body(self)
            _ = await child.stop()
        } catch {
            _ = await child.stop()
            throw error
        }
    }

    /// Expects that the client is still running.
    func expectRunning() throws {
        guard child.isRunning else {
            throw HarnessError("the client ended: \(try scratch.read("stager.log"))")
        }
    }

    /// Lets the client end its uploads, and checks each of them.
    func check(_ title: String) async throws {
        try scratch.write("", to: "stop")
        try await eventually("the end of the uploads", attempts: 3000) {
            child.isRunning ? nil : ()
        }
        let status = await child.status()
        let output = try scratch.read("stager.log")
        #expect(status == 0, "\(output)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let lines = try scratch.read("staged.log").split(separator: "\n").map {
            try decoder.decode(Line.self, from: Data($0.utf8))
        }
        let objects = try await store.objects()
        for line in lines {
            #expect(line.state == "succeeded" && line.faults.isEmpty, "\(line)")
            if line.isStored {
                #expect(objects[line.name]?.sha256 == digests[line.file], "\(line)")
            } else {
                #expect(try taker.requests(of: line.name).contains(where: \.whole), "\(line)")
                #expect(try await taker.digest(of: line.name) == digests[line.file], "\(line)")
            }
        }
        let stored = lines.count(where: \.isStored)
        #expect(objects.count == stored)
        let written = try await store.requests().count {
            ["PutObject", "CompleteMultipartUpload"].contains($0.operation) && $0.status == 200
                && $0.key?.contains("/.lull/") == false
        }
        #expect(written == stored, "each object is written once")
        let counts = lines.reduce(into: [:]) { $0.merge($1.counts) { $0 + $1 } }
        let shown = counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let told = "\(title): \(lines.count) uploads, \(stored) of them to the store; \(shown)\n"
        FileHandle.standardError.write(Data(told.utf8))
    }

    /// Expects that no staged byte is left in data directories.
    ///
    /// A kill between the reservation for a create and its commit leaves a file without a row,
    /// which is empty: no client knows the upload. It is removed when it is a day old.
    static func expectNothingStaged(in folders: [String]) async throws {
        for folder in folders {
            let command = ["\(folder)/content", "-type", "f", "-size", "+0"]
            do {
                try await eventually("the end of all staged bytes") {
                    try await ChildProcess.run("find", command).output.isEmpty ? () : nil
                }
            } catch {
                let left = try await ChildProcess.run("find", command + ["-ls"]).output
                Issue.record("staged bytes stay: \(left)")
            }
        }
    }
}
