internal import Crypto
package import HTTPWire
internal import Store

/// The result of opening the content of a download.
package enum ContentOpening: Sendable {
    /// The complete file, open for reading.
    case open(FileRegion)
    /// The wanted bytes as they are read, and the length of the whole content.
    case stream(BodyStream, length: Int64)
    /// There is no such file.
    case missing
    /// The file cannot be read; the text is for the log.
    case failed(String)
}
