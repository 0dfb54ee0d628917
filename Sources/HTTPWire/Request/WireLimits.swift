// The limits of one request.

/// The limits of a request; a request beyond one of them is rejected.
package struct WireLimits: Sendable, Hashable {
    /// The most bytes of a request or field line without its line end; RFC 9112 section 3 asks for
    /// 8000.
    package var lineBytes: Int
    /// The most bytes of all field lines with their line ends and the empty line behind them.
    package var headerBlockBytes: Int
    /// The most field lines.
    package var headerFields: Int
    /// The most bytes of content, without its chunked coding.
    package var bodyBytes: Int
    /// The most bytes of the extensions of one chunk.
    package var chunkExtensionBytes: Int
    /// The most bytes of the extensions of all chunks.
    package var chunkExtensionsBytes: Int
    /// The most bytes of the trailer section with its last empty line; it is read and dropped.
    package var trailerBytes: Int

    /// Sets every limit; the defaults suit an API.
    package init(
        lineBytes: Int = 8192, headerBlockBytes: Int = 16_384, headerFields: Int = 100,
        bodyBytes: Int = 4 << 20, chunkExtensionBytes: Int = 256,
        chunkExtensionsBytes: Int = 4096, trailerBytes: Int = 4096
    ) {
        self.lineBytes = lineBytes
        self.headerBlockBytes = headerBlockBytes
        self.headerFields = headerFields
        self.bodyBytes = bodyBytes
        self.chunkExtensionBytes = chunkExtensionBytes
        self.chunkExtensionsBytes = chunkExtensionsBytes
        self.trailerBytes = trailerBytes
    }
}
