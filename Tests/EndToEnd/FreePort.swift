// Ports for servers whose address must be known before they start, and stay the same after a kill.

/// A TCP port on loopback that was free a moment ago.
func freePort() async throws -> Int {
    let script = "import socket as s; p = s.socket(); p.bind(('127.0.0.1', 0)); "
    let result = try await ChildProcess.run(
        "python3", ["-c", script + "print(p.getsockname()[1])"])
    guard let port = Int(result.output.filter(\.isNumber)) else {
        throw HarnessError("no free port: \(result.output)")
    }
    return port
}
