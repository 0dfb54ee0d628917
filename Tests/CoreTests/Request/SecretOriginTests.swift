// Secrets go only to the origin that they were given for, whatever redirect or mirror led
// elsewhere.
import Base
import Downloads
import Testing
import Trees

@Suite struct SecretOriginTests {
    @Test(arguments: [
        ("https://a.example/x", "http://a.example/y?z", true),
        ("https://a.example:443/", "http://a.example:80/", true),
        ("https://A.Example./", "https://a.example/", true),
        ("https://xn--bcher-kva.example/", "https://XN--BCHER-KVA.example/", true),
        ("http://0x7f.1/", "http://127.0.0.1/", true),
        ("http://[::1]:8080/", "http://[0:0:0:0:0:0:0:1]:8080/", true),
        ("https://a.example/", "https://a.example:8443/", false),
        ("https://a.example:80/", "http://a.example/", false),
        ("http://a.example:443/", "https://a.example/", false),
        ("http://a.example:8080/", "https://a.example:8080/", false),
        ("https://a.example/", "https://www.a.example/", false),
        ("https://a.example/", "https://b.example/", false),
        ("https://a.example/", "ftp://a.example/", false),
        ("no url", "no url", false),
    ])
    func theUsualPortsOfAHostAreOneOrigin(_ first: String, _ second: String, _ isOne: Bool) {
        #expect(SecretOrigin.isOne(first, second) == isOne)
        #expect(SecretOrigin.isOne(second, first) == isOne)
    }

    private static let secrets: RequestSecrets = {
        var secrets = RequestSecrets()
        secrets.headers = [HeaderField("X-Key", "k")]
        secrets.authorization = .bearer(token: "t")
        secrets.body = [1]
        secrets.proxyCredentials = ProxyCredentials(username: "u", password: "p")
        return secrets
    }()

    private static let ofSession: SessionSecrets = {
        var secrets = SessionSecrets()
        secrets.headers = [HeaderField("X-Session", "s")]
        secrets.tls.caPEM = "ca"
        secrets.tls.clientCertificatePEM = "certificate"
        secrets.tls.clientKeyPEM = "key"
        return secrets
    }()

    /// Every place that a request may go to, beside every list of origins of its session.
    @Test func aRequestCarriesTheSecretsOfItsOriginAlone() throws {
        let home = "https://a.example/f"
        let lists: [(entries: [String]?, reaches: Set<String>)] = [
            (nil, []), ([], []), (["https://b.example"], ["b.example"]),
            (["http://a.example", "https://b.example:443"], ["a.example", "b.example"]),
            (["*"], ["a.example", "b.example", "c.example"]),
        ]
        for (entries, reaches) in lists {
            let bound = BoundSessionSecrets(Self.ofSession, for: SecretReach(entries))
            let outgoing = OutgoingSecrets(BoundSecrets(Self.secrets, for: home), bound)
            for host in ["a.example", "b.example", "c.example"] {
                let url = try SourceURL(parsing: "http://\(host)/other")
                let sent = outgoing.sent(to: url)
                let isHome = host == "a.example"
                #expect(sent.headers.contains { $0.isNamed("Authorization") } == isHome)
                #expect(sent.headers.contains { $0.isNamed("X-Key") } == isHome)
                #expect((outgoing.body(to: url) != nil) == isHome)
                let isNamed = reaches.contains(host)
                #expect(sent.headers.contains { $0.isNamed("X-Session") } == isNamed)
                #expect((sent.certificate != nil) == isNamed)
            }
            // Proxy credentials and certificates belong to the proxy and to every connection.
            #expect(outgoing.proxyCredentials?.password == "p" && outgoing.caPEM == "ca")
            #expect(BoundSessionSecrets(plain: bound.plain) == bound)
        }
    }

    /// Each open field of a download and of its session, beside every list of origins.
    @Test func openFieldsGoToEveryOriginAndNothingElseDoes() throws {
        let home = "https://a.example/f"
        for name in ["User-Agent", "accept", "ACCEPT-LANGUAGE", "Referer"] {
            for isOfSession in [false, true] {
                var (own, ofSession) = (RequestSecrets(), SessionSecrets())
                let fields = [HeaderField(name, "open"), HeaderField("X-Key", "k")]
                if isOfSession { ofSession.headers = fields } else { own.headers = fields }
                for entries in [nil, [], ["https://b.example"], ["*"]] as [[String]?] {
                    let outgoing = OutgoingSecrets(
                        BoundSecrets(own, for: home),
                        BoundSessionSecrets(ofSession, for: SecretReach(entries)))
                    for host in ["a.example", "b.example", "c.example"] {
                        let url = try SourceURL(parsing: "http://\(host)/other")
                        let isReached =
                            isOfSession
                            ? entries == ["*"] || host == "b.example" && entries?.count == 1
                            : host == "a.example"
                        let sent = outgoing.sent(to: url).headers
                        #expect(sent.first { $0.isNamed(name) }?.value == "open")
                        #expect(sent.contains { $0.isNamed("X-Key") } == isReached)
                        #expect(outgoing.withholds(from: url) == !isReached)
                        let open = outgoing.sent(to: url, isOpenOnly: true)
                        #expect(open.headers == [fields[0]])
                    }
                }
            }
        }
        var own = RequestSecrets()
        own.headers = [HeaderField("Accept", "own")]
        var ofSession = SessionSecrets()
        ofSession.headers = [HeaderField("accept", "session"), HeaderField("Referer", "r")]
        let both = OutgoingSecrets(
            BoundSecrets(own, for: home), BoundSessionSecrets(ofSession, for: .origins([])))
        let away = try SourceURL(parsing: "https://b.example/")
        #expect(Set(both.sent(to: away).headers.map(\.value)) == ["own", "r"])
    }

    /// Keys sign what is sent to their origin; no other credential goes beside them.
    @Test(arguments: [nil, "t0ken-of-a-session"])
    func keysTakeThePlaceOfEveryAuthorization(_ token: String?) throws {
        let keys = SigningKeys(
            accessKey: "AKIDEXAMPLE", secretKey: "s3cret/+key", sessionToken: token, region: "r-1",
            service: "s3")
        var own = RequestSecrets()
        own.authorization = .signature(keys)
        var ofSession = SessionSecrets()
        ofSession.headers = [HeaderField("authorization", "Basic dTpw"), HeaderField("X", "y")]
        let bound = BoundSecrets(own, for: "https://a.example/")
        let outgoing = OutgoingSecrets(
            bound, BoundSessionSecrets(ofSession, for: .everywhere))
        let home = outgoing.sent(to: try SourceURL(parsing: "http://a.example/f"))
        #expect(home.headers == [HeaderField("X", "y")] && home.signing == keys)
        let away = outgoing.sent(to: try SourceURL(parsing: "https://b.example/"))
        #expect(away.signing == nil && away.headers == ofSession.headers)
        #expect(outgoing.withholds(from: try SourceURL(parsing: "https://b.example/")))
        #expect(BoundSecrets(plain: bound.plain, of: "https://b.example/") == bound)
        #expect(bound.shape.shownAuthorization == ["type": "aws_sigv4"])
        let alone = OutgoingSecrets(
            bound, BoundSessionSecrets(SessionSecrets(), for: .everywhere))
        for secret in ["s3cret/+key", "AKIDEXAMPLE"] + (token.map { [$0] } ?? []) {
            let text = Array("it=\(secret)".utf8)
            #expect(alone.mask.masked(text, upTo: 100) == Array("it=[redacted]".utf8))
        }
    }

    /// Digest credentials answer a challenge; no other credential goes in their place.
    @Test func digestCredentialsTakeThePlaceOfEveryAuthorization() throws {
        let credentials = DigestCredentials(username: "u", password: "s3cret-password")
        var own = RequestSecrets()
        own.authorization = .digest(credentials)
        var ofSession = SessionSecrets()
        ofSession.headers = [HeaderField("authorization", "Basic dTpw"), HeaderField("X", "y")]
        let bound = BoundSecrets(own, for: "https://a.example/")
        let outgoing = OutgoingSecrets(
            bound, BoundSessionSecrets(ofSession, for: .everywhere))
        let home = outgoing.sent(to: try SourceURL(parsing: "http://a.example/f"))
        #expect(home.headers == [HeaderField("X", "y")] && home.digest == credentials)
        let away = outgoing.sent(to: try SourceURL(parsing: "https://b.example/"))
        #expect(away.digest == nil && away.headers == ofSession.headers)
        #expect(BoundSecrets(plain: bound.plain, of: "https://b.example/") == bound)
        let text = Array("the password is s3cret-password".utf8)
        #expect(outgoing.mask.masked(text, upTo: 100) != text)
    }

    @Test func secretsThatWereStoredWithoutAnOriginAreOfTheirDownloadsURL() throws {
        let old = Array("{\"headers\":[[\"X-Key\",\"k\"]]}\n".utf8)
        let secrets = try #require(BoundSecrets(plain: old, of: "https://a.example/f"))
        #expect(secrets.kept(for: "https://a.example/")?.headers.count == 1)
        #expect(secrets.kept(for: "https://b.example/") == nil)
        let session = try #require(BoundSessionSecrets(plain: Array("{\"headers\":[]}".utf8)))
        #expect(session.kept(for: .origins([])) != nil)
        #expect(session.kept(for: .everywhere) == nil)
    }

    @Test(
        arguments: [
            (["*"], [], true), ([], ["*"], false), (["*"], ["https://a.example"], true),
            (["https://a.example"], ["http://a.example"], true),
            (["https://a.example"], ["https://a.example", "https://b.example"], false),
            (["https://a.example", "https://b.example"], ["https://b.example"], true),
            (["https://a.example"], ["https://a.example:8443"], false),
        ] as [([String], [String], Bool)])
    func secretsOfASessionAreKeptForFewerOriginsOnly(
        _ old: [String], _ new: [String], _ isKept: Bool
    ) {
        let bound = BoundSessionSecrets(Self.ofSession, for: SecretReach(old))
        #expect((bound.kept(for: SecretReach(new)) != nil) == isKept)
    }

    /// Every kind of secret beside every answer to the question whether it is given again.
    @Test func whatIsNotGivenAnewForAnotherOriginIsDropped() throws {
        let home = "https://a.example/f"
        var members = RequestMembers()
        members.method = .post
        members.secrets = Self.secrets
        members.proxyURL = "http://proxy.example:3128"
        let rows: [(document: JSONObject, dropped: [String])] = [
            (["body": "b"], ["headers", "authorization"]),
            (["body": .null, "headers": ["X-Key": "new"]], ["authorization"]),
            (["body": .null, "headers": ["x-key": .null]], ["authorization"]),
            (["body": .null, "headers": ["X-Other": "new"]], ["headers", "authorization"]),
            (["body_base64": "AA==", "headers": .null], ["authorization"]),
            (
                ["body": "b", "headers": .null, "authorization": .null] as JSONObject,
                [] as [String]
            ),
        ]
        for (document, dropped) in rows {
            for opened in [BoundSecrets(members.secrets, for: home), nil] {
                var document = document
                if opened == nil { document["proxy"] = .null }
                let changed = try RequestMembers.changed(
                    by: document, shape: members.shape, secrets: opened, from: home,
                    to: "https://b.example/f"
                ).get()
                #expect(changed.dropped == dropped, "\(JSON.object(document).text)")
                let left = changed.members.secrets
                #expect(left.authorization == nil && left.body != [1])
                #expect(!left.headers.contains { $0.value == "k" })
                #expect((left.proxyCredentials != nil) == (opened != nil))
            }
        }
        let secrets = BoundSecrets(members.secrets, for: home)
        guard
            case .failure(let errors) = RequestMembers.changed(
                by: JSONObject(), shape: members.shape, secrets: secrets, from: home,
                to: "https://b.example/f")
        else {
            Issue.record("a body went away in silence")
            return
        }
        #expect(errors.list.map(\.pointer) == ["#/body"])
        let same = try RequestMembers.changed(
            by: JSONObject(), shape: members.shape, secrets: secrets, from: home,
            to: "http://a.example/g"
        ).get()
        #expect(same.dropped.isEmpty && same.members == members)
    }

    @Test(arguments: [
        (#"["https://a.example/path"]"#, "#/http_additional_headers_origins/0"),
        (#"["https://a.example", "*"]"#, "#/http_additional_headers_origins/1"),
        (#"["a.example"]"#, "#/http_additional_headers_origins/0"),
        (#"["https://u@a.example"]"#, "#/http_additional_headers_origins/0"),
        (#""*""#, "#/http_additional_headers_origins"),
    ])
    func aListOfOriginsIsJudged(_ list: String, _ pointer: String) throws {
        let text = "{\"http_additional_headers_origins\": \(list)}"
        guard case .failure(let errors) = SessionConfiguration.parse(try JSON.parse(text)) else {
            Issue.record("\(list) was taken")
            return
        }
        #expect(errors.list.map(\.pointer) == [pointer])
    }
}
