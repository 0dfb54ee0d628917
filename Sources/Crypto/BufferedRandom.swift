// Random numbers for names, of which each request needs some.
internal import Synchronization

/// The generator of `SecureRandom`, from which many numbers are taken at once.
///
/// Numbers that nobody has taken yet stay in memory: for names, and not for keys.
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
