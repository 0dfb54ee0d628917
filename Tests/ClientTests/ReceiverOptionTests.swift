// The receiver of a finished file at the terminal: its options, and what is shown of the sending.
import Base
import Testing

@testable import Client

@Suite struct ReceiverOptionTests {
    private static let clock = InstantText(
        now: Timestamp(seconds: 1_800_000_000), zone: .utc)

    private static func members(_ words: [String]) throws -> JSONObject {
        let command = try #require(Command.client.first { $0.name == "add" })
        let arguments = try Arguments(command, words)
        return try DownloadOptions(arguments: arguments, clock: clock).members()
    }

    @Test func theOptionsAreTheMembersOfTheDestination() throws {
        let members = try Self.members([
            "--to", "https://s.example/a", "--to-method", "POST", "--to-header", "X-A: b",
            "https://a.example/",
        ])
        #expect(
            members["destination"] == [
                "url": "https://s.example/a", "method": "POST", "headers": ["X-A": "b"],
            ])
        #expect(try Self.members(["https://a.example/"])["destination"] == nil)
    }

    @Test(arguments: ["--to-method", "--to-header", "--to-bearer-file"])
    func anOptionOfTheReceiverNeedsTheReceiver(_ option: String) {
        #expect(throws: ClientFailure.self) {
            try Self.members([option, "X: y", "https://a.example/"])
        }
    }

    private static func document(_ direction: JSON, state: JSON = "running") -> JSON {
        [
            "id": "dl_1", "state": state, "url": "https://a.example/f.bin",
            "count_of_bytes_received": 1000, "direction": direction, "count_of_bytes_sent": 400,
        ]
    }

    @Test func aDownloadThatSendsSaysHowMuch() throws {
        let view = try #require(DownloadView(Self.document("send")))
        #expect(view.sentence(Self.clock) == "sending 40 %")
        #expect(view.bar.line(columns: 80).contains("sending f.bin"))
        for (direction, state) in [("receive", "running"), ("send", "suspended")] {
            let other = try #require(
                DownloadView(Self.document(.string(direction), state: .string(state))))
            #expect(other.sentence(Self.clock) == state)
        }
    }

    @Test func theAnswerOfTheReceiverIsShown() {
        var document = Self.document("send").objectValue ?? JSONObject()
        document["sent"] = [
            "status": 403, "headers": [:],
            "body": ["encoding": "utf-8", "text": "no room", "is_cut": false],
        ]
        let lines = DownloadText.lines(of: .object(document), Self.clock)
        #expect(lines.contains { $0.contains("answer") && $0.hasSuffix("403: no room") })
        #expect(lines.contains { $0.contains("bytes sent") })
    }
}
