// Header fields: names in any case, lines in their order, values as bytes.
import HTTPWire
import Testing

@Suite struct HeaderFieldsTests {
    @Test func fieldNamesIgnoreCaseAndLinesKeepTheirOrder() {
        var fields = HeaderFields()
        fields.append("Accept", "a")
        fields.append("X-One", "1")
        fields.append("ACCEPT", "b")
        #expect(fields["accept"] == "a")
        #expect(fields.all("Accept") == ["a", "b"])
        #expect(fields["accep"] == nil)
        #expect(fields.all("x") == [])
        #expect(fields.count == 3)
        #expect(fields.lines.map(\.name) == ["Accept", "X-One", "ACCEPT"])
    }

    @Test func onlyLettersAreCaseFolded() {
        var fields = HeaderFields()
        fields.append("a_b", "1")
        fields.append("a@b", "2")
        #expect(fields["a\u{7f}b"] == nil)
        #expect(fields["A`b"] == nil)
        #expect(fields["A_B"] == "1")
    }

    @Test func fieldValuesAreOpaqueBytes() {
        var fields = HeaderFields()
        fields.append("X", "é")
        #expect(fields["x"] == "\u{c3}\u{a9}")
        #expect(fields.bytes("x") == [0xc3, 0xa9])
    }
}
