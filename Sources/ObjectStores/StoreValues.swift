// The values that pass into and out of an object store.
package import Transfers

/// An object that is to be written.
package struct NewObject: Sendable {
    /// The key with its prefix.
    package var key: String
    /// The media type.
    package var contentType = "application/octet-stream"
    /// The field `Content-Disposition`; nil for none.
    package var disposition: String?
    /// The text of the download's identifier, for `x-amz-meta-lull-download`.
    package var download: String
    /// SHA-256 of the whole object, 32 bytes, for `x-amz-meta-lull-sha256`.
    package var sha256: [UInt8]

    /// Creates an object with a key for the bytes of a download.
    package init(key: String, download: String, sha256: [UInt8]) {
        self.key = key
        self.download = download
        self.sha256 = sha256
    }
}

/// Bytes on their way into a store: an object, or a part of one.
package struct StoreBody: Sendable {
    /// The number of bytes.
    package let length: Int64
    /// Their SHA-256, 32 bytes: the payload hash of the signature.
    package let sha256: [UInt8]
    /// Their CRC-64/NVME; needed where the location wants it.
    package let crc64: UInt64?
    /// Makes a source at the first byte, for each try anew; it is given the closure that makes the
    /// engine ask again after a pause.
    package let source: @Sendable (@escaping @Sendable () -> Void) -> TransferSource

    /// Creates a value with all its members.
    package init(
        length: Int64, sha256: [UInt8], crc64: UInt64? = nil,
        source: @escaping @Sendable (@escaping @Sendable () -> Void) -> TransferSource
    ) {
        self.length = length
        self.sha256 = sha256
        self.crc64 = crc64
        self.source = source
    }
}

/// The condition under which a write takes effect.
package enum WriteCondition: Sendable, Equatable {
    /// Always.
    case always
    /// There is no object with the key: `If-None-Match: *`.
    case absent
    /// The object still has this entity tag: `If-Match`.
    case unchanged(tag: String)
}

/// Facts about an object, from a HEAD, or from the answer that confirmed its write.
package struct ObjectFacts: Sendable, Equatable {
    /// The entity tag, with its quotes.
    package var tag: String?
    /// The length in bytes; nil if the answer does not tell it.
    package var length: Int64?
    /// The download in the metadata; nil for an object of somebody else.
    package var download: String?
    /// The SHA-256 in the metadata, 64 hexadecimal digits.
    package var sha256: String?

    /// Creates facts with an entity tag only.
    package init(tag: String?) { self.tag = tag }
}

/// An upload in parts.
package struct UploadName: Sendable, Equatable {
    /// The key with its prefix.
    package var key: String
    /// The store's identifier of the upload.
    package var id: String

    /// Names an upload.
    package init(key: String, id: String) { (self.key, self.id) = (key, id) }
}

/// A part that a store has.
package struct StoredPart: Sendable, Equatable {
    /// 1 to 10,000.
    package var number: Int
    /// The entity tag, with its quotes.
    package var tag: String
    /// The length in bytes.
    package var length: Int64
    /// The checksum of the part, base 64; nil for none.
    ///
    /// `complete` needs it of each part where the location wants SHA-256. A store that does not
    /// tell it in its list of parts, as SeaweedFS, has verified it all the same: the caller computes
    /// it again from the file.
    package var checksum: String?

    /// Creates a part without a checksum.
    package init(number: Int, tag: String, length: Int64) {
        self.number = number
        self.tag = tag
        self.length = length
    }
}

/// An upload in parts that a listing has found.
package struct ListedUpload: Sendable, Equatable {
    /// Its name.
    package var name: UploadName
    /// The time at which it began, seconds since 1970 by the store's clock.
    package var begunAt: Int64

    /// Creates a value with all its members.
    package init(name: UploadName, begunAt: Int64) {
        self.name = name
        self.begunAt = begunAt
    }
}

/// An object, or a range of one, that is being read.
package struct StoreReading: Sendable {
    /// The length of the whole object in bytes.
    package let length: Int64
    /// The next bytes, never empty; nil at the end.
    package let next: @Sendable () async throws(StoreFailure) -> [UInt8]?

    /// Creates a value with all its members.
    package init(
        length: Int64, next: @escaping @Sendable () async throws(StoreFailure) -> [UInt8]?
    ) {
        self.length = length
        self.next = next
    }
}
