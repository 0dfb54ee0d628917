// Random numbers for identifiers, of which each request needs one.
internal import Synchronization

/// The generator of `SecureRandom`, from which many numbers are taken at once.
///
/// Numbers that are not used yet stay in memory, so it serves identifiers; keys and tokens are
/// taken from `SecureRandom`.
package final class BufferedRandom: RandomNumberGenerator, Sendable {
    /// So many bytes are taken at once.
    private static let bytesAtOnce = 4096

    private let rest = Mutex<[UInt64]>([])

    /// An empty buffer.
    package init() {}

    /// Eight random bytes as a number, which no other call gets.
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
