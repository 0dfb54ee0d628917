// File names, made of an identifier and a fence, never of a client's text.

/// The name of one attempt's file.
package struct ContentName: Hashable, Sendable, CustomStringConvertible {
    /// The download's id.
    package let id: String
    /// The attempt's fence.
    package let fence: Int64

    /// Creates a name from an identifier that this program made.
    ///
    /// - Parameters:
    ///   - id: 1 to 100 characters of a-z, 0-9, `_` and `-`; anything else is a bug.
    ///   - fence: 0 or more.
    package init(id: String, fence: Int64) {
        precondition(ContentName.isSafe(id), "an id is made of a-z, 0-9, _ and -")
        precondition(fence >= 0, "a fence is not negative")
        self.id = id
        self.fence = fence
    }

    /// Whether an id may stand in a file name.
    package static func isSafe(_ id: String) -> Bool {
        let isMadeOfSafe = id.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        return isMadeOfSafe && (1...100).contains(id.utf8.count)
    }

    /// The id and the fence as they appear in file names.
    package var description: String { spelled(directory: false, suffix: "") }

    /// The number of the shard: an FNV-1a hash, because all characters of an id have to count and
    /// ids end in few different ones.
    var shard: UInt8 {
        var hash: UInt32 = 2_166_136_261
        for byte in id.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return UInt8(truncatingIfNeeded: hash ^ hash >> 8 ^ hash >> 16 ^ hash >> 24)
    }

    /// The path of the finished file below the content directory.
    var path: String { spelled(directory: true, suffix: "") }

    /// The path of the unfinished file below the content directory.
    var partPath: String { spelled(directory: true, suffix: ".part") }

    private func spelled(directory: Bool, suffix: String) -> String {
        var text = ""
        text.reserveCapacity(id.utf8.count + 29)
        if directory {
            text += ContentName.directory(ofShard: shard)
            text += "/"
        }
        text += id
        text += "."
        text += String(fence)
        text += suffix
        return text
    }

    /// The name of a shard's directory, two hexadecimal digits.
    static func directory(ofShard shard: UInt8) -> String {
        let digits = String(shard, radix: 16)
        return digits.utf8.count == 2 ? digits : "0" + digits
    }

    /// Reads a name from its description; nil for a text that this program does not make.
    package init?(parsing text: String) {
        guard let (name, isPart) = ContentName.parse(fileName: text), !isPart else { return nil }
        self = name
    }

    /// Reads a file name; nil for a name that this program does not make.
    static func parse(fileName: String) -> (name: ContentName, isPart: Bool)? {
        let pieces = fileName.split(separator: ".", omittingEmptySubsequences: false)
        guard pieces.count == 2 || pieces.count == 3 && pieces[2] == "part",
            isSafe(String(pieces[0])),
            let fence = Int64(pieces[1]), fence >= 0, String(fence) == pieces[1]
        else { return nil }
        return (ContentName(id: String(pieces[0]), fence: fence), pieces.count == 3)
    }
}
