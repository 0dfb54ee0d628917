// The members of a request, and what the resource shows of them afterwards.
import Base
import Downloads
import Testing
import Trees

@Suite struct RequestMembersTests {
    private func parse(_ text: String) throws -> Result<DownloadRequest, FieldErrors> {
        var document = try JSON.parse(text).objectValue ?? JSONObject()
        document["url"] = "https://origin.example/a"
        return DownloadRequest.parse(.object(document))
    }

    private func pointers(_ text: String) throws -> [String] {
        guard case .failure(let errors) = try parse(text) else { return [] }
        return errors.list.map(\.pointer)
    }

    @Test func readsEverything() throws {
        let members = try parse(
            """
            {"method": "POST", "headers": {"X-Api-Key": " k1 ", "Accept": "a/b"},
             "body_base64": "AAEC/w==", "authorization":
             {"type": "basic", "username": "u", "password": "p:w"},
             "proxy": {"url": "http://proxy:3128", "username": "x", "password": "y"}}
            """
        ).get().members
        #expect(members.method == .post)
        #expect(
            members.secrets.headers == [
                HeaderField("X-Api-Key", "k1"), HeaderField("Accept", "a/b"),
            ])
        #expect(members.secrets.body == [0, 1, 2, 255])
        #expect(members.secrets.authorization == .basic(username: "u", password: "p:w"))
        #expect(members.secrets.proxyCredentials == ProxyCredentials(username: "x", password: "y"))
        #expect(members.proxyURL == "http://proxy:3128")
        #expect(members.shape.secretMembers == ["headers", "authorization", "body", "proxy"])
        let url = "https://origin.example/a"
        let bound = BoundSecrets(members.secrets, for: url)
        #expect(BoundSecrets(plain: bound.plain, of: url) == bound)
        #expect(BoundSecrets(plain: bound.plain, of: "https://b.example/") == bound)
        #expect(try parse("{}").get().members == RequestMembers())
        #expect(try parse(#"{"proxy": {"mode": "none"}}"#).get().members == RequestMembers())
        let empty = try parse(#"{"method": "PUT", "body": ""}"#).get().members
        let nothing = BoundSecrets(empty.secrets, for: url)
        #expect(BoundSecrets(plain: nothing.plain, of: url)?.kept(for: url)?.body == [])
        #expect(empty.shape.hasSecrets)
    }

    @Test(arguments: [
        "Host", "connection", "TE", "Transfer-Encoding", "Content-Length", "Range", "If-Range",
        "Proxy-Authorization", "Proxy-Foo", "Accept-Encoding", "Expect", "Upgrade", "Keep-Alive",
        "Trailer", "a b", "a:b", "",
    ])
    func refusesFieldsThatBelongToTheConnection(name: String) throws {
        let document: JSON = [
            "url": "https://origin.example/a", "headers": .object([name: "v"]),
        ]
        guard case .failure(let errors) = DownloadRequest.parse(document) else {
            Issue.record("\(name) was taken")
            return
        }
        #expect(errors.list.count == 1)
        #expect(errors.list[0].pointer.hasPrefix("#/headers/"))
    }

    @Test(arguments: [
        (#"{"headers": {"A": "x\r\nHost: y"}}"#, ["#/headers/A"]),
        (#"{"headers": {"A": 1}}"#, ["#/headers/A"]),
        (#"{"headers": {"A": "1", "a": "2"}}"#, ["#/headers/a"]),
        (#"{"headers": {"A": "redacted"}}"#, ["#/headers/A"]),
        (#"{"headers": []}"#, ["#/headers"]),
        (#"{"method": "HEAD"}"#, ["#/method"]),
        (#"{"method": "get"}"#, ["#/method"]),
        (#"{"body": "x"}"#, ["#/body"]),
        (#"{"method": "POST", "body": "x", "body_base64": "eA=="}"#, ["#/body_base64"]),
        (#"{"method": "POST", "body_base64": "eA"}"#, ["#/body_base64"]),
        (#"{"method": "POST", "body_base64": "eB=="}"#, ["#/body_base64"]),
        (#"{"authorization": {"type": "ntlm"}}"#, ["#/authorization/type"]),
        (
            #"{"authorization": {"type": "digest"}}"#,
            ["#/authorization/username", "#/authorization/password"]
        ),
        (
            #"{"method": "POST","#
                + #""authorization": {"type": "digest", "username": "a", "password": "b"}}"#,
            ["#/authorization"]
        ),
        (
            #"{"authorization": {"type": "aws_sigv4"}}"#,
            [
                "#/authorization/access_key_id", "#/authorization/secret_access_key",
                "#/authorization/region",
            ]
        ),
        (
            #"{"authorization": {"type": "aws_sigv4", "access_key_id": "a/b","#
                + #""secret_access_key": "", "session_token": "t t", "region": "A", "service": "","#
                + #""token": "t"}}"#,
            [
                "#/authorization/access_key_id", "#/authorization/secret_access_key",
                "#/authorization/session_token", "#/authorization/region",
                "#/authorization/service", "#/authorization/token",
            ]
        ),
        (#"{"authorization": {"type": "basic", "username": "a"}}"#, ["#/authorization/password"]),
        (
            #"{"authorization": {"type": "basic", "username": "a:b", "password": ""}}"#,
            ["#/authorization/username"]
        ),
        (#"{"authorization": {"type": "bearer", "token": "a b"}}"#, ["#/authorization/token"]),
        (
            #"{"authorization": {"type": "bearer", "token": "a", "x": 1}}"#, ["#/authorization/x"]
        ),
        (
            #"{"headers": {"authorization": "x"},"#
                + #""authorization": {"type": "bearer", "token": "a"}}"#,
            ["#/authorization"]
        ),
        (#"{"proxy": {"mode": "environment"}}"#, ["#/proxy/mode"]),
        (#"{"proxy": {"url": "socks5://a:1"}}"#, ["#/proxy/url"]),
        (#"{"proxy": {"url": "http://a:1", "username": "u"}}"#, ["#/proxy/username"]),
        (#"{"http_additional_headers": {}}"#, ["#/http_additional_headers"]),
    ])
    func refusesWithAPointer(text: String, expected: [String]) throws {
        #expect(try pointers(text) == expected)
    }

    @Test func requestMembersAreBounded() throws {
        let many = JSONObject(members: (0..<65).map { ("h\($0)", .string("v")) })
        let long: JSONObject = ["a": .string(String(repeating: "x", count: 16_384))]
        for headers in [many, long] {
            let document: JSON = ["url": "https://o.example/", "headers": .object(headers)]
            guard case .failure(let errors) = DownloadRequest.parse(document) else {
                Issue.record("taken")
                continue
            }
            #expect(errors.list.map(\.pointer) == ["#/headers"])
        }
        let most = String(repeating: "x", count: RequestMembers.bodyBytesAtMost)
        for (body, isTaken) in [(most, true), (most + "x", false)] {
            let document: JSON = [
                "url": "https://o.example/", "method": "POST", "body": .string(body),
            ]
            let result = DownloadRequest.parse(document)
            if case .success = result {
                #expect(isTaken)
            } else {
                #expect(!isTaken)
            }
        }
    }

    @Test func shownFormHasNamesWithoutValues() throws {
        let request = try parse(
            #"{"method": "POST", "headers": {"X-Key": "s3cret"}, "body": "s3cret!","#
                + #""authorization": {"type": "bearer", "token": "s3cret"}}"#
        ).get()
        let spec = DownloadSpec(
            request, session: SessionConfiguration(), sessionVersion: 1, defaults: .standard)
        let download = Download(
            id: Identifier(high: 1, low: 2), request: request, spec: spec, createdAt: .epoch)
        let json = download.json(blockers: [])
        #expect(json["headers"] == ["X-Key": "redacted"])
        #expect(json["authorization"] == ["type": "bearer"])
        #expect(json["body_bytes"] == 7)
        #expect(json["method"] == "POST")
        #expect(json["proxy"] == ["mode": "none"])
        #expect(!JSON.object(json).text.contains("s3cret"))
        #expect(!spec.tree.text.contains("s3cret"))
        #expect(DownloadSpec(stored: spec.tree)?.request == spec.request)
        #expect(DownloadSpec(stored: JSON.object([:]))?.request == RequestShape())
    }

    @Test func aPatchMergesHeadersByName() throws {
        let old = try parse(
            #"{"headers": {"A": "1", "B": "2"}, "authorization": {"type": "bearer", "token": "t"}}"#
        ).get().members
        func changed(
            _ text: String, lost: Bool = false
        ) throws -> Result<RequestMembers, FieldErrors> {
            let document = try #require(try JSON.parse(text).objectValue)
            let url = "https://origin.example/a"
            return RequestMembers.changed(
                by: document, shape: old.shape,
                secrets: lost ? nil : BoundSecrets(old.secrets, for: url), from: url, to: url
            ).map(\.members)
        }
        let merged = try changed(#"{"headers": {"a": "3", "b": null, "C": "4"}}"#).get()
        #expect(merged.secrets.headers == [HeaderField("a", "3"), HeaderField("C", "4")])
        #expect(merged.secrets.authorization == old.secrets.authorization)
        let gone = try changed(#"{"headers": null, "authorization": null}"#).get()
        #expect(gone.secrets.isEmpty)
        guard case .failure(let both) = try changed(#"{"headers": {"Authorization": "x"}}"#) else {
            Issue.record("two authorizations were taken")
            return
        }
        #expect(both.list.map(\.pointer) == ["#/authorization"])
        guard case .failure(let lost) = try changed(#"{"headers": {"A": "1"}}"#, lost: true) else {
            Issue.record("a lost authorization was not missed")
            return
        }
        #expect(lost.list.map(\.pointer) == ["#/authorization"])
        let whole = try changed(#"{"headers": {"A": "9"}, "authorization": null}"#, lost: true)
            .get()
        #expect(whole.secrets.headers == [HeaderField("A", "9")])
        #expect(whole.secrets.authorization == nil)
    }

    @Test func postIsRetriedOnlyBeforeItWasSentOrWhenAllowed() {
        let key = [HeaderField("idempotency-key", "1")]
        #expect(RepeatRules.isRepeatable(.get, headers: []))
        #expect(RepeatRules.isRepeatable(.put, headers: []))
        #expect(!RepeatRules.isRepeatable(.post, headers: []))
        #expect(RepeatRules.isRepeatable(.post, headers: key))
        for (status, isRetried) in [
            (408, true), (425, true), (429, true), (503, true), (500, false), (502, false),
            (504, false),
        ] {
            let failure = AttemptVerdict.failure(status: status)
            let judged = RepeatRules.judged(failure, isRepeatable: false, wasSent: true)
            #expect(judged.isRetryable == isRetried, "\(status)")
            #expect(RepeatRules.judged(failure, isRepeatable: true, wasSent: true) == failure)
            #expect(RepeatRules.judged(failure, isRepeatable: false, wasSent: false) == failure)
        }
    }

    @Test func shownSessionHasNamesWithoutValues() throws {
        let pem = "-----BEGIN CERTIFICATE-----\\nAA\\n-----END CERTIFICATE-----"
        let key = "-----BEGIN PRIVATE KEY-----\\nBB\\n-----END PRIVATE KEY-----"
        var configuration = try SessionConfiguration.parse(
            try JSON.parse(
                """
                {"http_additional_headers": {"X-Key": "s3cret"}, "tls": {"ca_pem": "\(pem)",
                 "client_certificate_pem": "\(pem)", "client_key_pem": "\(key)"}}
                """)
        ).get()
        let secrets = try #require(configuration.secrets)
        let bound = BoundSessionSecrets(secrets, for: .everywhere)
        #expect(BoundSessionSecrets(plain: bound.plain) == bound)
        configuration.shape = SessionShape(secrets, fingerprint: "f")
        let text = JSON.object(configuration.json).text
        #expect(!text.contains("s3cret") && !text.contains("BEGIN"))
        let stored = try #require(SessionConfiguration.read(stored: configuration.json))
        #expect(stored.shape == configuration.shape)
        for (bad, pointer) in [
            (#"{"tls": {"ca_pem": "/etc/passwd"}}"#, "#/tls/ca_pem"),
            ("{\"tls\": {\"client_certificate_pem\": \"\(pem)\"}}", "#/tls/client_certificate_pem"),
            (#"{"tls": {"ca_file": "/etc/x"}}"#, "#/tls/ca_file"),
            (#"{"http_additional_headers": {"Host": "x"}}"#, "#/http_additional_headers/Host"),
        ] {
            guard case .failure(let errors) = SessionConfiguration.parse(try JSON.parse(bad)) else {
                Issue.record("\(bad) was taken")
                continue
            }
            #expect(errors.list.map(\.pointer) == [pointer])
        }
    }
}
