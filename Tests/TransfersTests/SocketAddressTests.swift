// Raw socket addresses, read in place.
import Base
import Testing

@testable import Transfers

@Suite struct SocketAddressTests {
    private func read(_ bytes: [UInt8], length: Int? = nil) -> (address: IPAddress, port: Int)? {
        unsafe bytes.withUnsafeBytes { raw in
            unsafe SocketAddress.read(raw.baseAddress, length: UInt32(length ?? bytes.count))
        }
    }

    @Test func longAddressIsNotCutShort() throws {
        // struct sockaddr has 16 bytes; the tail of an IPv6 address lies beyond them.
        let prefix: [UInt8] = [10, 0, 0x1f, 0x90, 0, 0, 0, 0]
        let address: [UInt8] = [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0, 127, 0, 0, 1]
        let found = try #require(read(prefix + address + [0, 0, 0, 0]))
        #expect(found.address == IPAddress("64:ff9b::7f00:1"))
        #expect(found.port == 8080)
        #expect(read(prefix + address + [0, 0, 0, 0], length: 16) == nil)
    }

    @Test func shortAndForeignAddressesAreNone() throws {
        let v4: [UInt8] = [2, 0, 0, 80, 169, 254, 169, 254] + [UInt8](repeating: 0, count: 8)
        let found = try #require(read(v4))
        #expect(found.address == IPAddress("169.254.169.254"))
        #expect(found.port == 80)
        #expect(read(v4, length: 8) == nil)
        #expect(read([1, 0] + [UInt8](repeating: 0, count: 30)) == nil)
        #expect(read([], length: 0) == nil)
    }
}
