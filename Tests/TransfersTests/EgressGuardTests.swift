// The addresses of this machine are read again and again.
import Base
import Downloads
import Foundation
import Support
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

/// An engine that runs gets new destinations and authorities: the next request is judged by these.
@Suite struct RenewalTests {
    @Test func theNextRequestIsJudgedByNewDestinations() async throws {
        try await withLab(destinations: "loopback") { _ in
            OriginStep.answer(body: "x")
        } _: { engine, origin in
            for (words, isAllowed) in [
                ("loopback", true), ("public", false), ("127.0.0.1/32", true), ("private", false),
            ] {
                await engine.renew(
                    try Destinations.parse(words), proxies: nil, certificateFile: nil)
                let result = try await engine.fetch(origin.url())
                let code = result.failure?.code
                #expect(isAllowed ? result.text == "x" : code == .destinationNotAllowed, "\(words)")
            }
        }
    }

    /// libcurl caches authorities by the path of their file: a changed file has to be read again.
    @Test func aFileOfAuthoritiesIsReadAgain() async throws {
        let file = URL(fileURLWithPath: "/tmp/lull-renewal-\(UUID().uuidString).pem")
        try await TLSOrigin.with(["-www"]) { origin in
            try await TLSOrigin.with(["-www"]) { other in
                try await withLab({ _ in [] }) { engine, _ in
                    let all = try Destinations.parse("loopback")
                    for (authority, isTrusted) in [
                        (other.authority, false), (origin.authority, true),
                        (other.authority, false), (origin.authority, true),
                    ] {
                        try Data(authority.utf8).write(to: file)
                        await engine.renew(all, proxies: nil, certificateFile: file.path)
                        // A kept connection was trusted when it was made.
                        let result = try await engine.fetch(origin.url)
                        let isNew = result.newConnections > 0
                        let code = result.failure?.code
                        if isTrusted {
                            #expect(result.head?.status == 200)
                        } else if isNew {
                            #expect(code == .serverCertificateUntrusted)
                        }
                    }
                }
            }
        }
        try FileManager.default.removeItem(at: file)
    }

    @Test(arguments: [
        ("/etc/ssl/ca.pem", "/etc/ssl/./ca.pem"), ("ca.pem", "./ca.pem"), ("/ca.pem", "/./ca.pem"),
        ("a/ca.pem", "a/./ca.pem"),
    ])
    func theOtherSpellingIsTheSameFile(path: String, other: String) {
        #expect(TransferEngine.respelled(path) == other)
    }
}
