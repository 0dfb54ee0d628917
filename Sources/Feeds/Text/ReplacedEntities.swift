// Entities of HTML in documents that do not declare them.

/// A document whose entities are those of XML: each other one, such as `&nbsp;`, became U+FFFD.
struct ReplacedEntities {
    /// The document.
    private(set) var bytes: [UInt8] = []
    /// Places behind a replaced entity, and how many bytes the document had more before them.
    private var shifts: [(place: Int, more: Int)] = []

    private static let known: Set<[UInt8]> = Set(
        ["amp", "lt", "gt", "quot", "apos"].map { Array($0.utf8) })
    /// Parts of a document in which an ampersand is one.
    private static let plainParts: [(begin: [UInt8], end: [UInt8])] = [
        (Array("<!--".utf8), Array("-->".utf8)), (Array("<![CDATA[".utf8), Array("]]>".utf8)),
        (Array("<?".utf8), Array("?>".utf8)),
    ]

    /// Replaces the entities of a document in UTF-8.
    init(_ document: [UInt8]) {
        bytes.reserveCapacity(document.count)
        var place = 0
        while place < document.count {
            switch document[place] {
            case UInt8(ascii: "<"):
                let end = ReplacedEntities.endOfPlainPart(document, at: place) ?? place + 1
                bytes += document[place..<end]
                place = end
            case UInt8(ascii: "&"):
                guard let end = ReplacedEntities.endOfEntity(document, at: place) else {
                    bytes.append(document[place])
                    place += 1
                    continue
                }
                bytes += [0xef, 0xbf, 0xbd]
                place = end
                shifts.append((bytes.count, place - bytes.count))
            default:
                let begin = place
                while place < document.count, document[place] != UInt8(ascii: "<"),
                    document[place] != UInt8(ascii: "&")
                { place += 1 }
                bytes += document[begin..<place]
            }
        }
    }

    /// The place in the document as it was, of a number of bytes in this one.
    func place(of offset: Int) -> Int {
        var low = 0
        var high = shifts.count
        while low < high {
            let middle = (low + high) / 2
            if shifts[middle].place <= offset { low = middle + 1 } else { high = middle }
        }
        return offset + (low > 0 ? shifts[low - 1].more : 0)
    }

    private static func endOfPlainPart(_ document: [UInt8], at place: Int) -> Int? {
        let rest = document[place...]
        guard let part = plainParts.first(where: { rest.starts(with: $0.begin) }) else {
            return nil
        }
        var end = place + part.begin.count
        while end < document.count {
            if document[end] == part.end[0], document[end...].starts(with: part.end) {
                return end + part.end.count
            }
            end += 1
        }
        return document.count
    }

    /// Behind the semicolon of an entity that XML does not know.
    private static func endOfEntity(_ document: [UInt8], at place: Int) -> Int? {
        let name = document[(place + 1)...].prefix { byte in
            (0x61...0x7a).contains(byte | 0x20) || (0x30...0x39).contains(byte)
        }
        guard name.first.map({ $0 > 0x39 }) == true, name.count <= 32,
            name.endIndex < document.count, document[name.endIndex] == UInt8(ascii: ";"),
            !known.contains(Array(name))
        else { return nil }
        return name.endIndex + 1
    }
}
