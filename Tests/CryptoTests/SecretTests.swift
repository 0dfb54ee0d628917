// Randomness and comparisons of secrets.
import Crypto
import Testing

@Suite struct SecretTests {
    @Test func randomBytesHaveTheLengthAskedForAndDiffer() {
        #expect(SecureRandom.bytes(0).isEmpty)
        #expect(SecureRandom.bytes(33).count == 33)
        #expect(SecureRandom.bytes(16) != SecureRandom.bytes(16))
        var generator = SecureRandom()
        #expect(generator.next() != generator.next())
    }

    @Test func comparesEveryByteAndTheLength() {
        let secret = SecureRandom.bytes(32)
        #expect(ConstantTime.areEqual(secret, secret))
        for place in secret.indices {
            var other = secret
            other[place] ^= 1
            #expect(!ConstantTime.areEqual(secret, other))
        }
        #expect(!ConstantTime.areEqual(secret, Array(secret.dropLast())))
        #expect(ConstantTime.areEqual([], []))
    }
}
