// An upload in parts that an attempt has begun at an object store.
package import Base

/// The upload of a download's file, as its row names it from before the first part on.
///
/// It stays in the row until the object is there or the store says that the upload is gone, so that
/// every later owner of the download can go on with it or abort it.
package struct StoredUpload: MemberList, Hashable {
    /// The store: `ObjectStore.identifier`.
    package var store: Identifier
    /// The key with its prefix.
    package var key: String
    /// The path beneath the prefix.
    package var path: String
    /// The path that the client gave; nil for none.
    package var wish: String?
    /// The store's identifier of the upload.
    package var id: String
    /// The length of each part but the last one, in bytes.
    package var partBytes: Int64
    /// The entity tag of the object that is replaced; nil where there must be none.
    package var tag: String?
    /// The data directory of the file.
    package var instance: String
    /// SHA-256 of the file, 64 hexadecimal digits.
    package var sha256: String

    /// The blank value that reading fills in.
    package static let blank = StoredUpload(
        store: Identifier(high: 0, low: 0), key: "", path: "", id: "", partBytes: 0, instance: "",
        sha256: "")

    /// Creates an upload of an object that must not exist.
    package init(
        store: Identifier, key: String, path: String, id: String, partBytes: Int64,
        instance: String, sha256: String
    ) {
        self.store = store
        self.key = key
        self.path = path
        self.id = id
        self.partBytes = partBytes
        self.instance = instance
        self.sha256 = sha256
    }

    /// The members.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("store", &store)
        members.visit("key", &key)
        members.visit("path", &path)
        members.visit("wish", &wish, .storedOnly)
        members.visit("id", &id)
        members.visit("part_bytes", &partBytes)
        members.visit("tag", &tag, .storedOnly)
        members.visit("instance", &instance)
        members.visit("sha256", &sha256)
    }
}
