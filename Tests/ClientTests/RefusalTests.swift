// Problems as sentences, addresses, filters and downloads as documents.
import Base
import Client
import Testing

@Suite struct RefusalTests {
    /// A problem, and its sentence.
    struct Case: Sendable {
        let status: Int
        let document: String
        let words: String
        var exit = Client.ExitStatus.failed
        var isTransient = false
    }

    private static let places = ##"""
        {"code": "validation-failed", "detail": "2 errors", "errors": [
            {"pointer": "#/url", "detail": "must be a URL"},
            {"pointer": "#/priority", "detail": "must be at most 1"}]}
        """##

    static let problems: [Case] = [
        Case(
            status: 422, document: places,
            words: "#/url must be a URL; #/priority must be at most 1 (validation-failed)"),
        Case(
            status: 404, document: #"{"code": "not-found", "detail": "there is no such one"}"#,
            words: "there is no such one (not-found)"),
        Case(
            status: 401, document: #"{"code": "unauthenticated", "detail": "a key is needed"}"#,
            words: "a key is needed (unauthenticated); give a key with --key-file or LULL_KEY_FILE",
            exit: .key),
        Case(
            status: 403, document: #"{"detail": "the key lacks admin"}"#,
            words: "the key lacks admin", exit: .key),
        Case(
            status: 503, document: #"{"detail": "the service starts"}"#,
            words: "the service starts", exit: .notReached, isTransient: true),
        Case(
            status: 429, document: #"{"title": "Too many"}"#, words: "Too many",
            isTransient: true),
        Case(
            status: 500, document: "null", words: "the service answered with status 500",
            isTransient: true),
        Case(status: 400, document: #"{"detail": "a\u001b[2Jb"}"#, words: "a?[2Jb"),
        Case(
            status: 422,
            document: #"{"errors": [{"parameter": "limit", "detail": "is too large"}]}"#,
            words: "limit is too large"),
    ]

    @Test(arguments: problems)
    func problemsAreSentences(_ given: Case) throws {
        let failure = Refusal.failure(status: given.status, try JSON.parse(given.document))
        #expect(failure.description == given.words)
        #expect(failure.status == given.exit)
        #expect(failure.isTransient == given.isTransient)
    }

    @Test(arguments: [
        ("http://a:8080", "http://a:8080", nil), ("http://a:8080/", "http://a:8080", nil),
        ("https://a/b/", "https://a/b", nil), ("a:8080", "http://a:8080", nil),
        ("[::1]:8080", "http://[::1]:8080", nil), ("localhost", "http://localhost", nil),
        ("unix:/run/lull.sock", "http://localhost", "/run/lull.sock"),
    ])
    func addresses(text: String, base: String, socket: String?) throws {
        let address = try ServerAddress(text)
        #expect(address.base == base && address.socket == socket)
    }

    @Test(arguments: [
        "", "/", "ftp://a", "http://", "http:///x", "http://user:pw@a", "http://a?b", "http://a#b",
        "a b", "unix:", "unix:run", "unix:/" + String(repeating: "x", count: 120), ":8080",
    ])
    func refusesWhatIsNoAddress(text: String) {
        let failure = #expect(throws: ClientFailure.self) { try ServerAddress(text) }
        #expect(failure?.status == .usage)
    }

    @Test func statesHaveExitStatuses() {
        #expect(Client.ExitStatus(ofState: "succeeded") == .done)
        #expect(Client.ExitStatus(ofState: "failed") == .failed)
        #expect(Client.ExitStatus(ofState: "canceled") == .failed)
        #expect(Client.ExitStatus(ofState: "attention_required") == .needsYou)
        for state in ["waiting", "running", "suspended", "canceling", "else"] {
            #expect(Client.ExitStatus(ofState: state) == nil)
        }
    }

    @Test func filtersAreQueriesAndDocuments() throws {
        let words = ["--state", "failed,canceled", "--state", "waiting", "--label", "a=b=c"]
        let command = try #require(Command.client.first { $0.name == "cancel" })
        let filter = try DownloadFilter(try Arguments(command, words + ["--session", "s"]))
        let query = filter.query.map { "\($0.name)=\($0.value)" }
        #expect(query == ["state=failed,canceled,waiting", "session=s", "metadata[a]=b=c"])
        #expect(
            filter.document
                == [
                    "state": ["failed", "canceled", "waiting"], "session": "s",
                    "metadata": ["a": "b=c"],
                ])
        #expect(!filter.isEmpty)
        #expect(try DownloadFilter(try Arguments(command, [])).isEmpty)
        #expect(throws: ClientFailure.self) {
            try DownloadFilter(try Arguments(command, ["--label", "=x"]))
        }
    }

    @Test(arguments: [
        ("https://a/b/c.iso", "c.iso"), ("https://a/b/c.iso?x=/y#z", "c.iso"),
        ("https://a/", "download"), ("https://a", "download"), ("https://a/b/", "download"),
        ("https://a/..", "download"), ("https://a/%2e%2e", "download"), ("https://a/%2F", "_"),
        ("https://a/a%2Fb", "a_b"), ("https://a/a%20b", "a b"), ("https://a/%zz", "%zz"),
        ("https://a/%1b%5b2J", "%1b%5b2J"),
    ])
    func namesOfFilesComeFromURLs(url: String, name: String) {
        #expect(DownloadView.fileName(ofURL: url) == name)
    }

    @Test func aDownloadSaysWhyItWaits() throws {
        let document: JSON = [
            "id": "dl_1", "state": "waiting", "url": "https://a/b.iso",
            "blockers": [["detail": "the window opens", "until": "2026-11-23T22:00:00.000Z"]],
        ]
        let view = try #require(DownloadView(document))
        let now = try #require(Timestamp(rfc3339: "2026-11-23T20:00:00Z"))
        let clock = InstantText(now: now, zone: .utc)
        #expect(
            view.sentence(clock)
                == "waiting: the window opens, until today 22:00 UTC (in 2h)")
        #expect(!view.isOver && !view.hasEnded && view.name == "b.iso")
        let dated: JSON = [
            "id": "dl_1", "state": "waiting", "url": "https://a/b.iso",
            "blockers": [
                [
                    "detail": "it does not begin before 2026-11-23T22:00:00.000Z",
                    "until": "2026-11-23T22:00:00.000Z",
                ]
            ],
        ]
        #expect(
            DownloadView(dated)?.sentence(clock)
                == "waiting: it does not begin before today 22:00 UTC (in 2h)")
        #expect(DownloadView(["id": "dl_1"]) == nil)
    }
}
