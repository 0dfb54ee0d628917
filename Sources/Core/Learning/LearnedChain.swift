/// What a measurement is about, from the most exact key on: up to four.
///
/// Each end of an attempt makes several: no array is allocated.
package struct LearnedChain: RandomAccessCollection, ExpressibleByArrayLiteral, Equatable, Sendable
{
    private var keys: (LearnedKey, LearnedKey, LearnedKey, LearnedKey)
    /// How many there are, which is the place behind the last.
    package let endIndex: Int

    /// The place of the first.
    package var startIndex: Int { 0 }

    /// Names them, the most exact one first.
    package init(
        _ first: LearnedKey, _ second: LearnedKey? = nil, _ third: LearnedKey? = nil,
        _ fourth: LearnedKey? = nil
    ) {
        keys = (first, second ?? .all, third ?? .all, fourth ?? .all)
        endIndex = fourth != nil ? 4 : third != nil ? 3 : second != nil ? 2 : 1
    }

    /// One to four keys.
    package init(arrayLiteral keys: LearnedKey...) {
        precondition((1...4).contains(keys.count), "a chain has one to four keys")
        self.init(
            keys[0], keys.count > 1 ? keys[1] : nil, keys.count > 2 ? keys[2] : nil,
            keys.count > 3 ? keys[3] : nil)
    }

    /// The key at a place.
    package subscript(place: Int) -> LearnedKey {
        precondition(indices.contains(place), "a chain has a key at each of its places")
        return switch place {
        case 0: keys.0
        case 1: keys.1
        case 2: keys.2
        default: keys.3
        }
    }

    /// Whether both have the same keys in the same order.
    package static func == (one: LearnedChain, other: LearnedChain) -> Bool {
        one.elementsEqual(other)
    }
}
