// Sealed bytes open with their key, at their place and unchanged; with any difference they do not.
import Crypto
import Testing

@Suite struct SecretBoxTests {
    private let old = [UInt8](repeating: 1, count: 32)
    private let new = [UInt8](repeating: 2, count: 32)
    private let place = Array("table.column/1/a".utf8)

    @Test(arguments: [0, 1, 15, 16, 17, 1 << 20])
    func opensWhatItSealed(count: Int) {
        let box = SecretBox(keys: [old])
        let plain = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let sealed = box.seal(plain, for: place)
        #expect(sealed.count == count + 33)
        #expect(box.open(sealed, for: place) == plain)
    }

    @Test func sealingTwiceDiffers() {
        let box = SecretBox(keys: [old])
        #expect(box.seal([1, 2, 3], for: place) != box.seal([1, 2, 3], for: place))
    }

    @Test func theFirstKeySealsAndAllOpen() {
        let sealed = SecretBox(keys: [old]).seal([42], for: place)
        #expect(SecretBox(keys: [new, old]).open(sealed, for: place) == [42])
        #expect(SecretBox(keys: [new]).open(sealed, for: place) == nil)
        #expect(SecretBox(keys: []).open(sealed, for: place) == nil)
        let turned = SecretBox(keys: [new, old]).seal([43], for: place)
        #expect(SecretBox(keys: [old]).open(turned, for: place) == nil)
        #expect(SecretBox(keys: [new]).open(turned, for: place) == [43])
    }

    @Test func copiesTakeNewKeysTogether() {
        let box = SecretBox(keys: [old])
        let copy = box
        let sealed = copy.seal([1], for: place)
        box.take(SecretBox(keys: [new, old]))
        #expect(copy.open(sealed, for: place) == [1])
        #expect(SecretBox(keys: [new]).open(copy.seal([2], for: place), for: place) == [2])
        #expect(copy.derivedKeys(for: "a") == SecretBox(keys: [new, old]).derivedKeys(for: "a"))
        box.take(SecretBox(keys: [new]))
        #expect(copy.open(sealed, for: place) == nil)
    }

    @Test func refusesAnotherPlaceOrAChangedByte() {
        let box = SecretBox(keys: [old])
        let sealed = box.seal([1, 2, 3, 4], for: place)
        #expect(box.open(sealed, for: Array("table.column/1/b".utf8)) == nil)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(box.open(changed, for: place) == nil, "byte \(index)")
        }
        for count in 0..<sealed.count {
            #expect(box.open(Array(sealed.prefix(count)), for: place) == nil)
        }
    }

    @Test func aFingerprintNeedsTheKey() {
        let box = SecretBox(keys: [old])
        #expect(box.fingerprint([1]) == box.fingerprint([1]))
        #expect(box.fingerprint([1]) != box.fingerprint([2]))
        #expect(box.fingerprint([1]) != SecretBox(keys: [new]).fingerprint([1]))
    }
}
