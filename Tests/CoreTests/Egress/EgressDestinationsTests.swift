// The addresses that may be connected to: the vectors of the SSRF table, and the edges of every
// range.
import Base
import Testing

@Suite struct EgressDestinationsTests {
    private func verdict(
        _ address: String, port: Int = 80, host: String = "h.example", on list: String = "public"
    ) throws -> Destinations.Verdict {
        let address = try #require(IPAddress(address))
        return try Destinations.parse(list).judge(address, port: port, host: host)
    }

    private func allows(
        _ address: String, on list: String, host: String = "h.example"
    ) throws
        -> Bool
    {
        try verdict(address, host: host, on: list) == .allowed
    }

    @Test(arguments: [
        "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0", "126.255.255.255",
        "128.0.0.0", "223.255.255.255", "1.1.1.1", "8.8.8.8", "11.0.0.0", "9.255.255.255",
        "169.253.255.255", "169.255.0.0", "192.167.255.255", "192.169.0.0", "198.17.255.255",
        "198.20.0.0", "1.0.0.0", "192.0.1.0", "192.0.3.0", "168.63.129.15", "168.63.129.17",
        "2606:4700:4700::1111", "2001:200::", "2001:db7:ffff::", "2001:db9::", "2003::",
        "2620:4f:7fff::", "2620:4f:8001::", "3ffd:ffff::", "3fff:1000::", "2a00::5efe:808:808",
    ]) func publicAddressIsAllowed(address: String) throws {
        #expect(try verdict(address) == .allowed)
    }

    @Test(arguments: [
        ("127.0.0.1", Destinations.Denial.loopback), ("127.255.255.255", .loopback),
        ("0.0.0.0", .reserved), ("0.255.255.255", .reserved), ("10.0.0.0", .privateNetwork),
        ("10.255.255.255", .privateNetwork), ("100.64.0.0", .privateNetwork),
        ("100.127.255.255", .privateNetwork), ("100.100.100.200", .metadata),
        ("168.63.129.16", .metadata), ("169.254.0.0", .linkLocal), ("169.254.255.255", .linkLocal),
        ("169.254.169.254", .metadata), ("169.254.170.2", .metadata), ("169.254.170.23", .metadata),
        ("172.16.0.0", .privateNetwork), ("172.31.255.255", .privateNetwork),
        ("192.0.0.8", .reserved), ("192.0.0.192", .metadata), ("192.0.0.255", .reserved),
        ("192.0.2.1", .reserved), ("192.31.196.1", .reserved), ("192.52.193.1", .reserved),
        ("192.88.99.1", .reserved), ("192.168.0.0", .privateNetwork),
        ("192.168.255.255", .privateNetwork), ("192.175.48.1", .reserved),
        ("198.18.0.0", .reserved), ("198.19.255.255", .reserved), ("198.51.100.7", .reserved),
        ("203.0.113.7", .reserved), ("224.0.0.1", .reserved), ("240.0.0.1", .reserved),
        ("255.255.255.255", .reserved),
        ("::", .reserved), ("::1", .loopback), ("::2", .embedded), ("::127.0.0.1", .embedded),
        ("::ffff:127.0.0.1", .embedded), ("::ffff:7f00:1", .embedded),
        ("::ffff:8.8.8.8", .embedded),
        ("::ffff:0:7f00:1", .embedded), ("64:ff9b::7f00:1", .embedded),
        ("64:ff9b::808:808", .embedded), ("64:ff9b:1:a00:0:100::", .embedded),
        ("64:ff9b:1:ffff:ffff:ffff:ffff:ffff", .embedded), ("100::1", .reserved),
        ("100:0:0:1::1", .reserved), ("2001::", .embedded),
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", .embedded), ("2001:1::1", .reserved),
        ("2001:2::", .reserved), ("2001:3::", .reserved), ("2001:4:112::", .reserved),
        ("2001:10::", .reserved), ("2001:20::", .reserved), ("2001:30::", .reserved),
        ("2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", .reserved), ("2001:db8::1", .reserved),
        ("2002:7f00:1::", .embedded), ("2002:a9fe:a9fe::", .embedded),
        ("2002:808:808::", .embedded),
        ("2620:4f:8000::1", .reserved), ("3ffe::", .reserved), ("3fff:fff::", .reserved),
        ("4000::", .reserved), ("1fff:ffff::", .reserved), ("5f00::", .reserved),
        ("fc00::1", .privateNetwork), ("fdff:ffff::1", .privateNetwork),
        ("fd00:ec2::254", .metadata),
        ("fd00:ec2::23", .metadata), ("fe80::1", .linkLocal), ("febf::1", .linkLocal),
        ("fec0::1", .reserved), ("ff02::1", .reserved),
        ("2a00::5efe:7f00:1", .embedded), ("2a00::200:5efe:a00:1", .embedded),
    ]) func otherAddressIsDenied(address: String, reason: Destinations.Denial) throws {
        #expect(try verdict(address) == .denied(reason))
    }

    @Test func keywordsAddTheirRanges() throws {
        for address in ["10.1.2.3", "172.20.0.1", "192.168.1.1", "100.64.0.1", "fd12::1"] {
            #expect(try allows(address, on: "private"))
            #expect(try !allows(address, on: "public,loopback"))
        }
        for address in ["127.0.0.1", "127.9.9.9", "::1"] {
            #expect(try allows(address, on: "loopback"))
            #expect(try !allows(address, on: "public,private"))
        }
        #expect(try !allows("8.8.8.8", on: "private,loopback"))
        #expect(try verdict("8.8.8.8", on: "private") == .denied(.notListed))
        for address in [
            "169.254.169.254", "169.254.1.1", "100.100.100.200", "fd00:ec2::254", "fe80::1",
            "192.0.0.192", "168.63.129.16", "0.0.0.0", "::ffff:127.0.0.1", "64:ff9b::7f00:1",
        ] {
            #expect(try !allows(address, on: "public,private,loopback"))
        }
    }

    @Test func rangesOpenOnlyWhatTheyName() throws {
        #expect(try allows("10.20.3.4", on: "10.20.0.0/16"))
        #expect(try !allows("10.21.3.4", on: "10.20.0.0/16"))
        #expect(try allows("8.8.8.8", on: "8.0.0.0/7"))
        // An allowed range that contains a reserved range does not allow the reserved one.
        #expect(try !allows("10.1.2.3", on: "8.0.0.0/5"))
        #expect(try !allows("169.254.169.254", on: "169.254.0.0/16"))
        #expect(try allows("169.254.1.1", on: "169.254.0.0/16"))
        #expect(try allows("169.254.169.254", on: "169.254.169.254/32"))
        #expect(try allows("169.254.169.254", on: "169.254.169.254"))
        #expect(try !allows("100.100.100.200", on: "private,100.64.0.0/10"))
        #expect(try allows("fe80::1", on: "fe80::/10"))
        #expect(try !allows("127.0.0.2", on: "127.0.0.1"))
        #expect(try allows("2a00::1", on: "2a00::/16"))
        #expect(try !allows("2a01::1", on: "2a00::/16"))
    }

    @Test func embeddedAddressesNeedBothPermissions() throws {
        #expect(try allows("64:ff9b::808:808", on: "public,64:ff9b::/96"))
        #expect(try !allows("64:ff9b::808:808", on: "64:ff9b::/96"))
        #expect(try !allows("64:ff9b::7f00:1", on: "public,loopback,64:ff9b::/96"))
        #expect(try !allows("64:ff9b::a9fe:a9fe", on: "public,private,64:ff9b::/96"))
        #expect(try allows("64:ff9b::a14:304", on: "64:ff9b::/96,10.20.0.0/16"))
        #expect(try allows("64:ff9b:1:808:8:800::", on: "public,64:ff9b:1::/48"))
        #expect(try !allows("64:ff9b:1:a00:0:100::", on: "public,private,64:ff9b:1::/48"))
        #expect(try allows("2002:808:808::", on: "public,2002::/16"))
        #expect(try !allows("2002:7f00:1::", on: "public,2002::/16"))
    }

    @Test func hostsOpenPublicAddressesForThemselves() throws {
        let list = "*.example.com,files.example.org"
        #expect(try allows("8.8.8.8", on: list, host: "a.example.com"))
        #expect(try allows("8.8.8.8", on: list, host: "a.b.example.com"))
        #expect(try allows("8.8.8.8", on: list, host: "files.example.org"))
        for host in ["example.com", "xexample.com", "a.files.example.org", "example.com.evil"] {
            #expect(try !allows("8.8.8.8", on: list, host: host))
        }
        #expect(try !allows("10.0.0.1", on: list, host: "a.example.com"))
    }

    @Test func portsOfOtherProtocolsAreDenied() throws {
        for port in [0, -1, 65536, 1, 22, 25, 53, 110, 143, 465, 587, 993, 5432, 6379, 6000, 10080]
        {
            #expect(try verdict("8.8.8.8", port: port) == .denied(.port))
            #expect(try verdict("127.0.0.1", port: port, on: "loopback") == .denied(.port))
        }
        for port in [80, 443, 8080, 8443, 1024, 65535] {
            #expect(try verdict("8.8.8.8", port: port) == .allowed)
        }
    }

    @Test func oneDeniedAddressDeniesTheName() throws {
        let list = Destinations.publicOnly
        let good = IPAddress(v4: 0x0808_0808), bad = IPAddress(v4: 0x0a00_0005)
        #expect(list.judge(all: [good], port: 80, host: "h") == .allowed)
        #expect(list.judge(all: [good, bad], port: 80, host: "h") == .denied(.mixedAnswer))
        #expect(list.judge(all: [bad, good], port: 80, host: "h") == .denied(.mixedAnswer))
        #expect(list.judge(all: [bad], port: 80, host: "h") == .denied(.privateNetwork))
    }

    @Test func ownEndpointsAreDeniedByAddressAndPort() throws {
        let own = Destinations.Endpoint(address: IPAddress(v4: 0x0808_0808), port: 443)
        let list = Destinations.publicOnly.refusing([own])
        #expect(list.judge(own.address, port: 443, host: "h") == .denied(.ownEndpoint))
        #expect(list.judge(own.address, port: 80, host: "h") == .allowed)
    }

    @Test func addressesOfThisMachineCountAsLoopback() throws {
        let own = IPAddress(v4: 0x0808_0808)
        func verdict(_ list: String, port: Int) throws -> Destinations.Verdict {
            try Destinations.parse(list).refusing(ownPorts: [8080])
                .judge(all: [own], port: port, host: "h", own: [own])
        }
        #expect(try verdict("public", port: 80) == .denied(.loopback))
        #expect(try verdict("public,private", port: 80) == .denied(.loopback))
        #expect(try verdict("public,loopback", port: 80) == .allowed)
        #expect(try verdict("8.8.8.0/24", port: 80) == .allowed)
        #expect(try verdict("8.8.8.0/24", port: 8080) == .denied(.ownEndpoint))
        #expect(try verdict("public,loopback", port: 8080) == .allowed)
        let loopback = IPAddress(v4: 0x7f00_0001)
        let list = try Destinations.parse("127.0.0.0/8").refusing(ownPorts: [8080])
        #expect(list.judge(loopback, port: 8080, host: "h") == .denied(.ownEndpoint))
        #expect(list.judge(loopback, port: 8081, host: "h") == .allowed)
        let elsewhere = IPAddress(v4: 0x0808_0809)
        #expect(
            try Destinations.parse("public").refusing(ownPorts: [8080])
                .judge(elsewhere, port: 8080, host: "h") == .allowed)
    }

    @Test(arguments: [
        "", " ", "public,", ",public", "publik", "PUBLIC", "*", "*.com.", "10.0.0.0/33",
        "0.0.0.0/0",
        "::/0", "10.1.2.3/8", "10.0.0/8", "fe80::/129", "10.0.0.0/-1", "10.0.0.0/+8", "a..b",
        "http://example.com", "*.*.example.com", "a*.example.com", "1.2.3", "256.1.1.1", "*.1.2",
        "10.0.0.0/8/8", "-a.example.com",
    ]) func slipIsTold(text: String) {
        #expect(throws: DestinationsError.self) { try Destinations.parse(text) }
    }

    @Test func listIsReadAndWritten() throws {
        let list = try Destinations.parse(" public , loopback,10.0.0.0/8,fd00::/8, *.Example.com ")
        #expect(list.description == "public,loopback,10.0.0.0/8,fd00::/8,*.example.com")
        #expect(try Destinations.parse(list.description) == list)
        let long = Array(repeating: "public", count: Destinations.entriesMax + 1)
        #expect(throws: DestinationsError.self) {
            try Destinations.parse(long.joined(separator: ","))
        }
    }
}
