// Identifiers: their bits, their order, their text.
import Base
import Testing

@Suite struct IdentifierTests {
    private let now = Timestamp(seconds: 1_800_000_000)

    @Test func textRoundTrips() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<500 {
            let high: UInt64 = random.next()
            let low: UInt64 = random.next()
            let id = Identifier(high: high & ~0xf000 | 0x7000, low: low)
            #expect(!id.isUpload && id.ofUpload.isUpload)
            #expect(Identifier(id.ofUpload.text(.download), kind: .download) == nil)
            #expect(Identifier(id.text(.upload), kind: .upload) == nil)
            #expect(Identifier(id.ofUpload.text, kind: .upload) == id.ofUpload)
            #expect(Identifier(transfer: id.text) == id)
            #expect(Identifier(transfer: id.ofUpload.text) == id.ofUpload)
            for kind in [IdentifierKind.download, .event, .request] {
                let text = id.text(kind)
                #expect(Identifier(text, kind: kind) == id)
                #expect(
                    Identifier(
                        kind.rawValue + text.dropFirst(kind.rawValue.count).lowercased(),
                        kind: kind) == id)
            }
            #expect(Identifier(hexadecimal: id.hexadecimal) == id)
        }
    }

    @Test(arguments: [
        (Identifier(high: 0, low: 0), "dl_00000000000000000000000000", "0"),
        (Identifier(high: .max, low: .max), "dl_7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "f"),
    ])
    func endsOfTheRange(_ id: Identifier, _ text: String, _ digit: String) {
        #expect(id.text(.download) == text)
        #expect(id.hexadecimal == String(repeating: digit, count: 32))
    }

    @Test(arguments: [
        "", "dl_", "dl_0000000000000000000000000", "dl_000000000000000000000000000",
        "dl-00000000000000000000000000", "evt_00000000000000000000000000",
        "DL_00000000000000000000000000", "dl_80000000000000000000000000",
        "dl_0000000000000000000000000I", "dl_0000000000000000000000000l",
        "dl_0000000000000000000000000O", "dl_0000000000000000000000000u",
        "dl_000000000000000000000000-0", "dl_0000000000000000000000000é",
        " dl_00000000000000000000000000", "dl_0000000000000000000000000\u{0}",
    ])
    func refusesOtherTexts(_ text: String) {
        #expect(Identifier(text, kind: .download) == nil)
    }

    @Test(arguments: [
        "", "0", String(repeating: "0", count: 31), String(repeating: "0", count: 33),
        "+" + String(repeating: "0", count: 31),
        String(repeating: "0", count: 16) + "-000000000000000",
        String(repeating: "g", count: 32), String(repeating: "é", count: 16),
    ])
    func refusesOtherHexadecimals(_ text: String) {
        #expect(Identifier(hexadecimal: text) == nil)
    }

    /// RFC 9562 section 5.7: 48 bits of milliseconds, version 7, variant 10.
    @Test(arguments: [UInt64.min, .max, 0x5555_5555_5555_5555])
    func carriesTimeVersionAndVariant(_ face: UInt64) {
        var dice = LoadedDice(face: face)
        let id = Identifier(at: now + .microseconds(999), using: &dice)
        #expect(id.high >> 16 == 1_800_000_000_000)
        #expect(id.high >> 12 & 0xf == 7)
        #expect(id.high & 0xfff == face & 0xfff)
        #expect(id.low >> 62 == 0b10)
        #expect(id.low & ~0 >> 2 == face >> 2)
    }

    @Test func instantsBeforeTheEpochAreClampedToIt() {
        var random = SeededRandom(seed: 2)
        let id = Identifier(at: Timestamp(microseconds: -5_000_000), using: &random)
        #expect(id.high >> 16 == 0)
    }

    @Test func identifiersSortByTimeInBinaryAndText() {
        var random = SeededRandom(seed: 3)
        var ids: [Identifier] = []
        for step in 0..<200 {
            ids.append(Identifier(at: now + .milliseconds(step), using: &random))
        }
        #expect(ids.sorted() == ids)
        #expect(ids.map { $0.text(.event) }.sorted() == ids.map { $0.text(.event) })
        #expect(ids.map(\.hexadecimal).sorted() == ids.map(\.hexadecimal))
        #expect(Set(ids).count == 200)
    }
}
