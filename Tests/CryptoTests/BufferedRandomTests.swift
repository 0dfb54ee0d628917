// Random numbers for identifiers.
import Crypto
import Testing

@Suite struct BufferedRandomTests {
    @Test func noTwoCallsGetTheSameNumber() async {
        let random = BufferedRandom()
        let perTask = 2000
        let numbers = await withTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<perTask).map { _ in random.next() } }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(numbers).count == 8 * perTask)
    }

    @Test func eachBitIsSetInAboutHalfOfTheNumbers() {
        let random = BufferedRandom()
        let numbers = (0..<4096).map { _ in random.next() }
        for bit in 0..<64 {
            let count = numbers.count { $0 >> UInt64(bit) & 1 == 1 }
            // Ten standard deviations of 32.
            #expect(abs(count - 2048) < 320)
        }
    }
}
