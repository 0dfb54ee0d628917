// HTTP Digest: the vectors of the RFCs, and an origin that checks each answer by itself.
import Base
import Crypto
import Downloads
import Store
import Support
import Synchronization
import Testing
import Trees

@testable import Worker

@Suite struct DigestAuthorizationTests {
    private static let hash: DigestChallenge.Hash = { algorithm, bytes in
        let digest = RunningDigest(algorithm == .md5 ? .md5 : .sha256)
        unsafe bytes.withUnsafeBytes { unsafe digest.update($0) }
        return Hex.encode(digest.finished())
    }

    private static func answer(
        _ fields: [String], password: String = "Circle of Life",
        clientNonce: String = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
    ) -> String? {
        DigestChallenge.best(in: fields.map { FieldValue($0) })?.answer(
            DigestCredentials(username: "Mufasa", password: password),
            DigestChallenge.Use(
                method: "GET", target: "/dir/index.html", count: 1, clientNonce: clientNonce),
            hash
        ).text
    }

    private static let realm =
        "realm=\"http-auth@example.org\", "
        + "nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\""

    /// The first row is RFC 7616 section 3.9.1; the others have its inputs.
    @Test(arguments: [
        ("algorithm=MD5, qop=\"auth, auth-int\"", "8ca523f5e9506fed4657c9700eebdbec"),
        ("qop=auth", "8ca523f5e9506fed4657c9700eebdbec"),
        (
            "qop=\"auth\", algorithm=SHA-256",
            "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
        ),
        ("opaque=\"x\"", "7b2cc3b30e75b4777ea31027084363fd"),
        ("algorithm=md5-sess, qop=\"auth\"", "e783283f46242139c486a698fec7211d"),
        ("algorithm=MD5-sess", "37a7f42db2090a3fcac4e26e747d4fc8"),
        (
            "algorithm=\"SHA-256\"",
            "a1306b0595a6c7fe96c448631fb5cfbd5107bd1fe1da729d978dd7446b812363"
        ),
        (
            "algorithm=SHA-256-sess, qop=\"auth\"",
            "2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7"
        ),
        (
            "algorithm=SHA-256-SESS",
            "30bc0742357e535c85094121d22cf826b794be0667e19537beb7b28f2251c274"
        ),
    ])
    func answersAreThoseOfTheVectors(_ parameters: String, _ response: String) throws {
        let field = try #require(Self.answer(["Digest \(Self.realm), \(parameters)"]))
        #expect(field.contains("response=\"\(response)\""))
        let hasProtection = parameters.contains("qop")
        #expect(field.contains("qop=auth, nc=00000001") == hasProtection)
        let needsNonce = hasProtection || parameters.lowercased().contains("-sess")
        #expect(field.contains("cnonce=\"") == needsNonce)
        #expect(field.contains("opaque=\"x\"") == parameters.contains("opaque"))
        #expect(field.hasPrefix("Digest username=\"Mufasa\", realm=\"http-auth@example.org\""))
    }

    /// RFC 2617 section 3.5.
    @Test func theOlderVectorHolds() {
        let field = Self.answer(
            [
                "Digest realm=\"testrealm@host.com\", qop=\"auth,auth-int\", "
                    + "nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\", "
                    + "opaque=\"5ccc069c403ebaf9f0171e9517f40e41\""
            ], password: "Circle Of Life", clientNonce: "0a4f113b")
        #expect(field?.contains("response=\"6629fae49393a05397450978507c4ef1\"") == true)
    }

    @Test func theStrongestChallengeIsAnswered() {
        let (md5, sha) = ("Digest \(Self.realm)", "Digest \(Self.realm), algorithm=SHA-256")
        let strong = "algorithm=SHA-256"
        #expect(Self.answer([md5, sha])?.contains(strong) == true)
        #expect(
            Self.answer(["Basic realm=\"a, b=\\\"c\\\"\", \(md5), \(sha)"])?.contains(strong)
                == true)
        #expect(Self.answer(["Negotiate abc==, \(md5), Basic realm=x"]) != nil)
        for none in [
            "Basic realm=\"x\"", "Digest realm=\"x\"", "Digest nonce=\"x\"", "Digest",
            "Digest \(Self.realm), algorithm=SHA-512-256", "Digest \(Self.realm), qop=auth-int",
            "Digest \(Self.realm), algorithm=MD5-x", "",
        ] { #expect(Self.answer([none]) == nil, "\(none)") }
        let quoted = Self.answer(["digest realm=\"a \\\"b\\\" \\\\c\",nonce=n,userhash=true"])
        #expect(quoted?.contains("realm=\"a \\\"b\\\" \\\\c\", nonce=\"n\"") == true)
        #expect(quoted?.contains("userhash=true") == true)
        #expect(quoted?.contains("Mufasa") == false)
    }

    // MARK: - An origin

    /// An origin's challenge, and whether the right answer to it came.
    private final class Gatekeeper: Sendable {
        let parameters: String
        let state = Mutex((nonce: 0, counts: Set<String>()))

        init(_ parameters: String) { self.parameters = parameters }

        func challenge(isStale: Bool = false) -> [OriginStep] {
            let nonce = state.withLock { state in
                state.nonce += 1
                return state.nonce
            }
            return OriginStep.answer(
                "401 Unauthorized",
                headers: [
                    "WWW-Authenticate: Basic realm=\"r\"",
                    "WWW-Authenticate: Digest realm=\"r\", nonce=\"n\(nonce)\"\(parameters)"
                        + (isStale ? ", stale=true" : ""),
                ])
        }

        /// Whether a request has the right answer, with a count that no earlier request had.
        func admits(_ request: OriginRequest) -> Bool {
            guard let field = request["authorization"], field.hasPrefix("Digest ") else {
                return false
            }
            var given: [String: String] = [:]
            for part in field.dropFirst(7).split(separator: ",") {
                let sides = part.split(separator: "=", maxSplits: 1)
                    .map { String($0.filter { $0 != "\"" && $0 != " " }) }
                given[sides[0]] = sides[1]
            }
            let nonce = state.withLock { "n\($0.nonce)" }
            guard given["nonce"] == nonce, given["uri"] == request.target,
                given["username"] == "u"
            else { return false }
            let isSHA = parameters.contains("SHA")
            let make = { (text: String) in hash(isSHA ? .sha256 : .md5, Array(text.utf8)) }
            var secret = make("u:r:p w")
            if parameters.contains("-sess") {
                secret = make("\(secret):\(nonce):\(given["cnonce"] ?? "")")
            }
            let (count, own) = (given["nc"] ?? "", given["cnonce"] ?? "")
            let middle = parameters.contains("qop") ? ":\(count):\(own):auth" : ""
            let isNew =
                middle.isEmpty
                || state.withLock { $0.counts.insert(nonce + count).inserted }
            let request = make("\(request.method):\(request.target)")
            return isNew && given["response"] == make("\(secret):\(nonce)\(middle):\(request)")
        }
    }

    private static let members: JSONObject = [
        "authorization": ["type": "digest", "username": "u", "password": "p w"]
    ]

    @Test(
        arguments: ["", ", algorithm=SHA-256", ", algorithm=MD5-sess", ", algorithm=SHA-256-sess"],
        [", qop=\"auth\"", ""])
    func anOriginTakesTheAnswers(_ algorithm: String, _ protection: String) async throws {
        let keeper = Gatekeeper(algorithm + protection)
        let bytes = content(9000)
        try await Replica.with({ request in
            guard keeper.admits(request) else { return keeper.challenge() }
            return request.target == "/moved"
                ? OriginStep.answer("302 Found", headers: ["Location: /there"])
                : Answer.whole(bytes)
        }) { replica, origin in
            let id = try await replica.submit(origin.url("/moved"), Self.members)
            let record = try await replica.reached(.succeeded, id)
            #expect(try replica.file(record) == bytes)
            // The origin challenges once, and every later request carries an answer.
            #expect(origin.requests.map(\.target) == ["/moved", "/moved", "/there"])
            let chain = record.download.result["response"]?["url_chain"]
            #expect(chain == [.string(origin.url("/moved")), .string(origin.url("/there"))])
            var put = Self.members
            (put["method"], put["body"]) = ("PUT", "text")
            let second = try await replica.submit(origin.url("/put"), put)
            _ = try await replica.reached(.succeeded, second)
            let puts = origin.requests.suffix(2)
            #expect(puts.allSatisfy { $0.method == "PUT" && $0.body == Array("text".utf8) })
            #expect(origin.requests.count == 5)
            #expect(
                origin.requests.allSatisfy { $0["authorization"]?.hasPrefix("Basic") != true })
        }
    }

    @Test func aNonceThatIsTooOldIsReplaced() async throws {
        let keeper = Gatekeeper(", qop=\"auth\"")
        let asked = Mutex(0)
        try await Replica.with({ request in
            let number = asked.withLock { number in
                number += 1
                return number
            }
            if number == 1 { return keeper.challenge() }
            if number == 2 { return keeper.challenge(isStale: true) }
            return keeper.admits(request) ? Answer.whole(content(10)) : keeper.challenge()
        }) { replica, origin in
            let id = try await replica.submit(origin.url(), Self.members)
            _ = try await replica.reached(.succeeded, id)
            #expect(origin.requests.count == 3)
        }
    }

    /// A wrong password, and an origin that speaks Basic alone, lead to no further request.
    @Test(arguments: [("Digest realm=\"r\", nonce=\"n\"", 2), ("Basic realm=\"r\"", 1)])
    func aRefusalNeedsTheClientAndBasicIsNeverSent(_ field: String, _ requests: Int) async throws {
        try await Replica.with({ _ in
            Answer.status("401 Unauthorized", ["WWW-Authenticate: \(field)"])
        }) { replica, origin in
            let id = try await replica.submit(origin.url(), Self.members)
            let record = try await replica.reached(.attentionRequired, id)
            #expect(record.download.result["error"]?["code"] == "user_authentication_required")
            #expect(origin.requests.count == requests)
            #expect(
                origin.requests.allSatisfy { $0["authorization"]?.hasPrefix("Basic") != true })
        }
    }

    @Test func anotherOriginsChallengeIsNotAnswered() async throws {
        let keeper = Gatekeeper("")
        let other = try OriginServer { _ in keeper.challenge() }
        defer { other.close() }
        let away = other.url("/away")
        try await Replica.with({ _ in
            OriginStep.answer("302 Found", headers: ["Location: \(away)"])
        }) { replica, origin in
            let id = try await replica.submit(origin.url(), Self.members)
            let record = try await replica.reached(.attentionRequired, id)
            let detail = record.download.result["error"]?["detail"]?.stringValue
            #expect(detail?.contains("given for another origin") == true)
            #expect(other.requests.allSatisfy { $0["authorization"] == nil })
        }
    }
}
