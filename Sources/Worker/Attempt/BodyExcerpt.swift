// The beginning of an error's text, for the attempt's record.
internal import Core
internal import Crypto

/// At most 1024 bytes of an answer that is no content.
struct BodyExcerpt: Sendable {
    /// The most bytes that are kept for the client to read.
    static let bytesAtMost = 1024

    private(set) var bytes: [UInt8] = []
    /// Whether more came than is kept.
    private(set) var isCut = false

    /// Adds the next bytes.
    mutating func append(_ more: UnsafeRawBufferPointer) {
        let room = BodyExcerpt.bytesAtMost - bytes.count
        unsafe bytes.append(contentsOf: more.prefix(max(room, 0)))
        isCut = more.count > room
    }

    /// The record's member; nil for no bytes.
    var detail: AttemptDetail.Excerpt? {
        guard !bytes.isEmpty else { return nil }
        var text = String(validating: bytes, as: UTF8.self)
        // A cut may go through a character.
        for missing in 1...3 where isCut && text == nil && bytes.count > missing {
            text = String(validating: bytes.dropLast(missing), as: UTF8.self)
        }
        let isPrintable = text?.utf8.allSatisfy {
            $0 >= 0x20 && $0 != 0x7f || [0x09, 0x0a, 0x0d].contains($0)
        }
        return AttemptDetail.Excerpt(
            encoding: isPrintable == true ? "utf-8" : "base64",
            text: isPrintable == true ? text ?? "" : Base64.encode(bytes), isCut: isCut)
    }
}
