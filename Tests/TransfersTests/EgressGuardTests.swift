// The addresses of this machine, looked at again and again.
import Core
import Testing

@testable import Transfers

struct EgressGuardTests {
    @Test func interfacesIncludeLoopback() throws {
        let found = EgressGuard.interfaceAddresses()
        #expect(found.contains(try #require(IPAddress("127.0.0.1"))))
    }

    @Test func newInterfaceAddressIsDenied() throws {
        let address = try #require(IPAddress("8.8.8.8"))
        let url = try SourceURL(parsing: "http://h.example/")
        var own: Set<IPAddress> = []
        let guardian = EgressGuard(.publicOnly) { own }
        #expect(guardian.judge([address], of: url, now: 0) == .allowed)
        own = [address]
        #expect(guardian.judge([address], of: url, now: 1) == .allowed)
        let later = TransferLimits.interfacesTTL
        #expect(guardian.judge([address], of: url, now: later) == .denied(.loopback))
        #expect(guardian.judge(address, port: 80, host: url.host) == .denied(.loopback))
    }
}
