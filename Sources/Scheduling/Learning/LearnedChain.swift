/// The keys of one measurement, from the most exact one on: one to four.
///
/// A collection without allocation, because each end of an attempt makes several.
package struct LearnedChain: RandomAccessCollection, ExpressibleByArrayLiteral, Equatable, Sendable
{
    private var keys: (LearnedKey, LearnedKey, LearnedKey, LearnedKey)
    /// The number of keys, which is the index behind the last.
    package let endIndex: Int

    /// The index of the first key.
    package var startIndex: Int { 0 }

    /// Creates a chain, the most exact key first.
    package init(
        _ first: LearnedKey, _ second: LearnedKey? = nil, _ third: LearnedKey? = nil,
        _ fourth: LearnedKey? = nil
    ) {
        keys = (first, second ?? .all, third ?? .all, fourth ?? .all)
        endIndex = fourth != nil ? 4 : third != nil ? 3 : second != nil ? 2 : 1
    }

    /// Creates a chain of one to four keys.
    package init(arrayLiteral keys: LearnedKey...) {
        precondition((1...4).contains(keys.count), "a chain has one to four keys")
        self.init(
            keys[0], keys.count > 1 ? keys[1] : nil, keys.count > 2 ? keys[2] : nil,
            keys.count > 3 ? keys[3] : nil)
    }

    /// The key at an index.
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
