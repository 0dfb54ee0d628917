// Random numbers for identifiers, of which each request needs one.
internal import Synchronization

/// A generator that takes many numbers from `SecureRandom` at once.
///
/// Unused numbers stay in memory, so it serves identifiers only; keys and tokens come from
/// `SecureRandom`.
package final class BufferedRandom: RandomNumberGenerator, Sendable {
    /// The number of bytes that are taken at once.
    private static let bytesAtOnce = 4096

    private let rest = Mutex<[UInt64]>([])

    /// Creates an empty buffer.
    package init() {}

    /// Returns eight random bytes as a number that no other call gets.
    package func next() -> UInt64 {
        rest.withLock { rest in
            if rest.isEmpty {
                let bytes = SecureRandom.bytes(BufferedRandom.bytesAtOnce)
                rest = unsafe bytes.withUnsafeBytes { unsafe Array($0.bindMemory(to: UInt64.self)) }
            }
            return rest.removeLast()
        }
    }
}
