// Log lines for one write(2).

/// Collects whole lines up to the size that a pipe takes atomically; see pipe(7), PIPE_BUF.
struct LogBatch {
    static let bytesAtMost = 4096

    /// The bytes for the next write.
    private(set) var bytes: [UInt8] = []

    /// Adds a line.
    ///
    /// - Returns: what has to be written before, because the line has no room behind it.
    mutating func add(_ line: [UInt8]) -> [UInt8]? {
        guard !bytes.isEmpty, bytes.count + line.count > LogBatch.bytesAtMost else {
            bytes += line
            return nil
        }
        defer { bytes = line }
        return bytes
    }
}
