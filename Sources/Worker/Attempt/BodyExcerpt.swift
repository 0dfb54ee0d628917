// The beginning of the body of an error, for the attempt's record.
internal import Base
internal import Crypto
internal import Downloads

/// The beginning of an answer without content.
struct BodyExcerpt: Sendable {
    /// The most bytes that are kept for the client to read.
    static let bytesAtMost = 1024
    /// A few more bytes are kept, so that a secret at the end is recognized although it is cut.
    private static let takenAtMost = bytesAtMost + SecretMask.piece - 1

    private(set) var bytes: [UInt8] = []
    /// Whether more bytes came than are kept.
    private(set) var isFull = false

    /// Adds received bytes.
    mutating func append(_ more: UnsafeRawBufferPointer) {
        let room = BodyExcerpt.takenAtMost - bytes.count
        unsafe bytes.append(contentsOf: more.prefix(max(room, 0)))
        isFull = more.count > room
    }

    /// The member of the record; nil without bytes, and if secrets cannot be told from them.
    ///
    /// - Parameter mask: finds the secrets of the request, which the origin may repeat.
    /// - Returns: at most ``bytesAtMost`` bytes, as text or in base 64.
    func detail(hiding mask: SecretMask) -> AttemptDetail.Excerpt? {
        guard !bytes.isEmpty,
            let shown = mask.masked(bytes, upTo: BodyExcerpt.bytesAtMost)
        else { return nil }
        let isCut = bytes.count > BodyExcerpt.bytesAtMost
        var text = String(validating: shown, as: UTF8.self)
        // The cut may have divided a character.
        for missing in 1...3 where isCut && text == nil && shown.count > missing {
            text = String(validating: shown.dropLast(missing), as: UTF8.self)
        }
        let isPrintable = text?.utf8.allSatisfy {
            $0 >= 0x20 && $0 != 0x7f || [0x09, 0x0a, 0x0d].contains($0)
        }
        return AttemptDetail.Excerpt(
            encoding: isPrintable == true ? "utf-8" : "base64",
            text: isPrintable == true ? text ?? "" : Base64.encode(shown), isCut: isCut)
    }
}
