// Lines for one write(2).

/// Whole lines, as many as a pipe takes without another writer's bytes between them; see pipe(7),
/// PIPE_BUF.
struct LogBatch {
    static let bytesAtMost = 4096

    /// What is to be written at once.
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
