// The places of a refusal in the words of the command line.
import Base
import Client
import Testing

@Suite struct PlaceWordsTests {
    private static func command(_ name: String) throws -> Command {
        try #require(Command.client.first { $0.name == name })
    }

    @Test(arguments: [
        ("add", "#/url", "URL"), ("edit", "#/url", "--url"), ("add", "#/priority", "--priority"),
        ("add", "#/headers/Range", "--header Range"), ("add", "#/urls/0", "--mirror"),
        ("add", "#/defaults/max_bytes", "--max-bytes"),
        ("add", "#/downloads/3/expected_digest", "--checksum"),
        ("add", "#/destination/on_conflict", "--on-conflict"), ("add", "#/destination", "--to"),
        ("put", "#/destination/url", "PLACE url"), ("add", "#/retry/attempts", "--retry-attempts"),
        ("add", "#/authorization/password", "--user or --bearer-file password"),
        ("list", "?state", "--state"), ("list", "?metadata[a]", "--label"),
        ("list", "?error_code", "--error"), ("retry", "#/filter/session", "--session"),
        ("link", "#/ttl_seconds", "--ttl"), ("sessions set", "#/max_running", "max_running"),
        ("sessions set", "#/wake/delay", "wake.delay"), ("add", "#", "the request"),
    ])
    func aPointerBecomesAnOptionOrAnOperand(
        name: String, pointer: String, words: String
    ) throws {
        #expect(PlaceWords(try Self.command(name)).words(for: pointer) == words)
    }

    @Test func aDownloadOfAListIsNamedByItsLine() throws {
        let words = PlaceWords(try Self.command("add"), file: "urls.txt", lines: [2, 5])
        #expect(words.words(for: "#/downloads/1/url") == "urls.txt:5: URL")
        #expect(words.words(for: "#/downloads/0/filename") == "urls.txt:2: --filename")
        #expect(words.words(for: "#/defaults/priority") == "--priority")
    }

    @Test func aPolicyIsNamedByItsFile() throws {
        let words = PlaceWords(try Self.command("policy set"), file: "p.json")
        #expect(words.words(for: "#/rules/0/require") == "p.json: rules[0].require")
        let place = words.words(for: "#/bandwidth/per_origin/a~1b")
        #expect(place == "p.json: bandwidth.per_origin.a/b")
    }

    /// Every option that a pointer may become exists in some command.
    @Test func noRefusalNamesAnOptionThatNoCommandHas() throws {
        let members = [
            "earliest_begin_date", "complete_by", "segments", "proxy", "body", "session", "method",
            "external_id", "metadata", "webhook_url", "filename", "task_description",
        ]
        for member in members {
            let words = PlaceWords(try Self.command("add")).words(for: "#/\(member)")
            #expect(words.hasPrefix("--"), "\(member): \(words)")
        }
    }
}
