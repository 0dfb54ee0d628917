public import Foundation
import Glibc

/// A program that a test started, and a folder of its own that goes with it.
public final class Program: @unchecked Sendable {
    // Safe because a test uses it from one task, and Process locks itself.
    private let process: Process

    /// Starts it; its output goes to a file.
    public init(
        _ path: String, _ arguments: [String], environment: [String: String], log: URL
    ) throws {
        if !FileManager.default.fileExists(atPath: log.path) { try Data().write(to: log) }
        let output = try FileHandle(forWritingTo: log)
        try output.seekToEnd()
        process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
    }

    /// Whether it still runs.
    public var isRunning: Bool { process.isRunning }

    /// Its process identifier.
    public var pid: Int32 { process.processIdentifier }

    /// Kills it and waits for its end.
    public func kill() {
        guard process.isRunning else { return }
        _ = Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Asks it to end and waits for its end.
    public func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    /// Waits for its end and gives its status.
    public func status() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// A port of loopback that nothing listens on.
    public static func freePort() -> UInt16 {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw -> UInt16? in
                guard bind(socket, raw, size) == 0, getsockname(socket, raw, &size) == 0 else {
                    return nil
                }
                return pointer.pointee.sin_port.bigEndian
            }
        }
        guard let port else { preconditionFailure("loopback has no free port") }
        return port
    }

    /// A port of loopback on which no connection is answered, until the process ends.
    ///
    /// Its queue is full: what comes then waits for an answer to its first packet.
    public static func silentPort() -> UInt16 {
        let port = freePort()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        address.sin_port = port.bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                guard bind(listener, raw, size) == 0, listen(listener, 0) == 0 else {
                    preconditionFailure("a free port is not free")
                }
                for _ in 0..<3 {
                    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                    _ = fcntl(client, F_SETFL, O_NONBLOCK)
                    _ = connect(client, raw, size)
                }
            }
        }
        return port
    }
}
