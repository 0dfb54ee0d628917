// Sealed content as the source of a transfer to another replica.
internal import API
internal import Transfers

extension SealedContent {
    /// The source of the transfer that sends it.
    var source: TransferSource {
        unsafe TransferSource(
            length: sentLength, read: { unsafe self.read(into: $0) }, rewind: { false })
    }

    private func read(into memory: UnsafeMutableRawBufferPointer) -> TransferSource.Answer {
        switch take(atMost: memory.count) {
        case .bytes(let bytes):
            unsafe bytes.withUnsafeBytes { unsafe memory.copyMemory(from: $0) }
            return .bytes(bytes.count)
        case .pause: return .pause
        case .abort(let reason): return .abort(reason: reason)
        }
    }
}
