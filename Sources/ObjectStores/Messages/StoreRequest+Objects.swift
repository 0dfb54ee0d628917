// The fields and bodies of requests that write.
internal import Base
internal import Crypto
internal import Downloads

extension StoreRequest {
    /// Adds the fields of a new object.
    mutating func describe(_ object: NewObject) {
        headers.append(("Content-Type", object.contentType))
        if let disposition = object.disposition {
            headers.append(("Content-Disposition", disposition))
        }
        headers.append((ObjectFacts.downloadField, object.download))
        headers.append((ObjectFacts.digestField, Hex.encode(object.sha256)))
    }

    /// Adds the condition of a write.
    mutating func require(_ condition: WriteCondition) {
        switch condition {
        case .always: break
        case .absent: headers.append(("If-None-Match", "*"))
        case .unchanged(let tag): headers.append(("If-Match", tag))
        }
    }

    /// Adds the checksum of a body.
    mutating func check(_ body: StoreBody, by checksum: StoreLocation.Checksum) {
        switch checksum {
        case .sha256:
            headers.append(("x-amz-checksum-sha256", Base64.encode(body.sha256)))
        case .crc64nvme:
            guard let crc64 = body.crc64 else { break }
            headers.append(("x-amz-checksum-crc64nvme", StoreRequest.text(crc64)))
        case .none: break
        }
    }

    /// A CRC-64 as fields and documents have it: base 64 of its eight bytes.
    static func text(_ crc64: UInt64) -> String {
        Base64.encode(
            (0..<8).reversed().map { UInt8(truncatingIfNeeded: crc64 >> UInt64(8 * $0)) })
    }

    /// The document that names the parts of an object.
    static func document(
        _ parts: [StoredPart], checksum: StoreLocation.Checksum
    ) -> [UInt8] {
        let name: String? =
            switch checksum {
            case .sha256: "ChecksumSHA256"
            case .crc64nvme: "ChecksumCRC64NVME"
            case .none: nil
            }
        var text = "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
        for part in parts {
            text += "<Part><PartNumber>\(part.number)</PartNumber>"
            text += "<ETag>\(escaped(part.tag))</ETag>"
            if let name, let value = part.checksum {
                text += "<\(name)>\(escaped(value))</\(name)>"
            }
            text += "</Part>"
        }
        return Array((text + "</CompleteMultipartUpload>").utf8)
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
