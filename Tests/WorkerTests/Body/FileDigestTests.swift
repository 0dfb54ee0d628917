// The digest of a file beside the writing.
import Dispatch
import Platform
import Synchronization
import Testing

@testable import Worker

@Suite struct FileDigestTests {
    private struct DiskIsFull: Error {}

    private static func block(_ bytes: [UInt8]) -> MemoryBlock {
        let block = MemoryBlock(capacity: bytes.count)
        _ = unsafe bytes.withUnsafeBytes { unsafe block.append($0) }
        return block
    }

    /// Blocks small and large in turn; some begin with bytes that are digested already.
    @Test(arguments: [true, false])
    func blocksOfAnySizeAreDigestedInOrder(hasLane: Bool) {
        let digest = FileDigest(lane: hasLane ? QueueExecutor(label: "test.digest") : nil)
        let released = Mutex<[Int]>([])
        var (all, written): ([UInt8], [UInt8]) = ([], [])
        for number in 0..<40 {
            let count = number % 3 == 0 ? 1000 : BodyIntake.blockBytes + number
            let bytes = content(count, seed: UInt64(number))
            let skipped = number % 5
            digest.update(Self.block(bytes), from: skipped) {
                written += bytes[skipped...]
            } then: {
                released.withLock { $0.append(number) }
            }
            all += bytes[skipped...]
            if number % 7 == 0 {
                unsafe [UInt8](bytes).withUnsafeBytes { unsafe digest.update($0) }
                all += bytes
                written += bytes
            }
        }
        #expect(digest.finish() == sha256(all))
        #expect(written == all)
        #expect(released.withLock { $0.sorted() } == Array(0..<40))
    }

    @Test func aBlockIsReleasedOnceItIsDigestedAndWritten() {
        let lane = QueueExecutor(label: "test.digest")
        let digest = FileDigest(lane: lane)
        let bytes = content(BodyIntake.blockBytes)
        let released = Atomic(0)
        lane.queue.suspend()
        digest.update(Self.block(bytes), from: 0) {
        } then: {
            released.add(1, ordering: .relaxed)
        }
        // The block is written, and its digest has not begun.
        #expect(released.load(ordering: .relaxed) == 0)
        lane.queue.resume()
        digest.settle()
        #expect(released.load(ordering: .relaxed) == 1)
        #expect(throws: DiskIsFull.self) {
            try digest.update(Self.block(bytes), from: 0) { () throws(DiskIsFull) in
                digest.settle()
                #expect(released.load(ordering: .relaxed) == 1)
                throw DiskIsFull()
            } then: {
                released.add(1, ordering: .relaxed)
            }
        }
        #expect(released.load(ordering: .relaxed) == 2)
    }
}
