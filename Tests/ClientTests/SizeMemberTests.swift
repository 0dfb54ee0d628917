// Sizes at the terminal have one unit: powers of 1000, and powers of 1024 where they are said.
import Base
import Client
import Testing

@Suite struct SizeMemberTests {
    @Test(arguments: [
        ("max_bytes_per_second", "5M", 5_000_000, "5MB/s"),
        ("max_bytes_per_second", "5MB", 5_000_000, "5MB/s"),
        ("max_bytes_per_second", "5MB/s", 5_000_000, "5MB/s"),
        ("max_bytes", "5MiB", 5_242_880, "5MiB"), ("max_bytes", "1k", 1000, "1kB"),
        ("min_bytes", "1025", 1025, "1025B"), ("max_bytes", "0", 0, "0B"),
        ("count_of_bytes_client_expects_to_receive", "3.9GB", 3_900_000_000, "3900MB"),
        ("length", "1GiB", 1_073_741_824, "1GiB"),
    ])
    func aSizeIsReadAndPrintedInOneUnit(
        name: String, text: String, bytes: Int64, printed: String
    ) throws {
        #expect(try SizeMember.value(name, text) == .integer(bytes))
        #expect(SizeMember.text(name, .integer(bytes)) == printed)
        #expect(try SizeMember.value(name, printed) == .integer(bytes))
    }

    @Test func otherMembersAreLeft() throws {
        #expect(try SizeMember.value("max_running", "4") == nil)
        #expect(try SizeMember.value("max_bytes", "") == nil)
        #expect(SizeMember.text("priority", .number(0.5)) == nil)
        #expect(SizeMember.text("max_running", .integer(4)) == nil)
        #expect(SizeMember.text("max_bytes", .null) == nil)
    }

    @Test(arguments: ["fast", "5X", "-5M", "5 MB"])
    func aTextThatIsNoSizeIsRefused(text: String) {
        #expect(throws: ClientFailure.self) { try SizeMember.value("max_bytes", text) }
    }
}
