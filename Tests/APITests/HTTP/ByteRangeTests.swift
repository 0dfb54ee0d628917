// Every shape of a range, against content of ten bytes and of none.
import Testing

@testable import API

@Suite struct ByteRangeTests {
    @Test(
        arguments: [
            ("bytes=0-0", ByteRange.part(0...0)),
            ("bytes=0-9", .part(0...9)),
            ("bytes=3-", .part(3...9)),
            ("bytes=-3", .part(7...9)),
            ("bytes=-10", .part(0...9)),
            ("bytes=-99", .part(0...9)),
            ("bytes=5-99", .part(5...9)),
            ("BYTES=1-2", .part(1...2)),
            ("bytes= 1-2 ", .part(1...2)),
            ("bytes=9-9223372036854775808", .part(9...9)),
            ("bytes=-99999999999999999999", .part(0...9)),
            ("bytes=10-", .unsatisfiable),
            ("bytes=10-12", .unsatisfiable),
            ("bytes=99999999999999999999-", .unsatisfiable),
            ("bytes=-0", .unsatisfiable),
            ("bytes=5-3", .whole), ("bytes=-", .whole), ("bytes=", .whole), ("bytes", .whole),
            ("bytes=a-b", .whole), ("bytes=+1-2", .whole), ("bytes=1--2", .whole),
            ("bytes=0-1,3-4", .whole), ("bytes=,", .whole),
            ("bytes=0-1,", .part(0...1)), ("bytes=, ,5- ,", .part(5...9)), ("bytes=,-", .whole),
            ("items=0-1", .whole),
            ("bytes=0x1-2", .whole), ("", .whole), ("bytes =0-1", .whole),
        ])
    func rangesOfTenBytes(_ field: String, _ range: ByteRange) {
        #expect(ByteRange.read(field, length: 10) == range)
    }

    @Test(
        arguments: [
            ("bytes=0-", ByteRange.unsatisfiable), ("bytes=0-0", .unsatisfiable),
            ("bytes=-1", .whole), ("bytes=-0", .unsatisfiable), ("bytes=2-1", .whole),
            ("bytes=x", .whole),
        ])
    func rangesOfEmptyContent(_ field: String, _ range: ByteRange) {
        #expect(ByteRange.read(field, length: 0) == range)
    }

    @Test func longRangeFieldsAreIgnored() {
        let field = "bytes=" + String(repeating: "0", count: 300) + "-1"
        #expect(ByteRange.read(field, length: 10) == .whole)
    }
}
