// Lines that are written together: all, in order, and no more at once than a pipe keeps whole.
import Testing

@testable import Platform

@Suite struct LogBatchTests {
    @Test(arguments: [1, 100, 300, 4095, 4096, 4097, 10_000])
    func writesAreWholeLinesOfAtMostAPipesBound(longest: Int) {
        var batch = LogBatch()
        var (all, writes): ([UInt8], [[UInt8]]) = ([], [])
        for number in 0..<200 {
            let count = 1 + number * 7919 % longest
            let line = [UInt8](repeating: UInt8(0x30 + number % 64), count: count - 1) + [0x0a]
            all += line
            if let full = batch.add(line) { writes.append(full) }
        }
        writes.append(batch.bytes)
        #expect(writes.flatMap(\.self) == all)
        for write in writes {
            #expect(write.last == 0x0a)
            // A single line alone may be longer.
            let lines = write.count { $0 == 0x0a }
            #expect(write.count <= LogBatch.bytesAtMost || lines == 1)
        }
        if longest <= 300 { #expect(writes.count <= 1 + all.count / 3796) }
    }
}
