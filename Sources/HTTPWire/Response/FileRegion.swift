// A body that is sent straight from its file.

/// A part of an open file; its last reference closes the file.
package final class FileRegion: Sendable {
    /// A descriptor open for reading, valid as long as this object lives.
    package let descriptor: Int32
    /// The offset of the part in the file, in bytes, not negative.
    package let offset: Int64
    /// The length of the part in bytes, not negative.
    package let length: Int64
    /// Called once all bytes were handed to the connection; it must not block.
    package let sent: @Sendable () -> Void
    private let close: @Sendable () -> Void

    /// Creates a region that owns a descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: open for reading.
    ///   - offset: the first byte to send.
    ///   - length: how many bytes to send; the file must have them.
    ///   - close: called once, with the last reference to the region.
    ///   - sent: called when all of it was handed to the connection.
    package init(
        descriptor: Int32, offset: Int64, length: Int64,
        close: @escaping @Sendable () -> Void, sent: @escaping @Sendable () -> Void = {}
    ) {
        precondition(descriptor >= 0 && offset >= 0 && length >= 0, "a stretch of an open file")
        self.descriptor = descriptor
        self.offset = offset
        self.length = length
        self.sent = sent
        self.close = close
    }

    deinit { close() }
}
