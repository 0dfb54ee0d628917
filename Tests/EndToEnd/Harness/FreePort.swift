// Ports for servers whose address must be known before they start, and stay the same after a kill.
import Glibc
import Synchronization

/// The last port that was given out; below those that the kernel gives to clients, so that no
/// connection of another test takes one while its server is down.
private let lastPort = Mutex(10_000 + Int(getpid()) * 37 % 20_000)

/// The high ports in `PortRules.refused`: lull connects to none of them.
private let refusedPorts: Set<Int> = [10_080, 10_250, 11_211, 27_017]

/// A TCP port on loopback that was free a moment ago, and that no other test gets.
func freePort() async throws -> Int {
    for _ in 0..<1000 {
        let port = lastPort.withLock { last in
            last = last < 32_000 ? last + 1 : 10_000
            return last
        }
        if !refusedPorts.contains(port), isFree(port) { return port }
    }
    throw HarnessError("no free port")
}

private func isFree(_ port: Int) -> Bool {
    let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(probe) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe bind(probe, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    return result == 0
}
