// The destination of a download's file: a folder or a store that the operator allows, and a path
// beneath it.
internal import Base

/// The `destination` of a download, as its client gave it.
package struct FileDestination: MemberList {
    /// The name that the operator gave the folder or store.
    package var name: String
    /// The path beneath it; nil for the file's own name.
    package var path: String?
    /// The action when a file of that name exists.
    package var onConflict = FileConflict.fail
    /// Whether an object stays in its store after the retention of the content; nil stands for
    /// true, and is the only value for a folder.
    package var keep: Bool?
    /// The origin of the store's endpoint, `scheme://host:port`; nil for a folder.
    package var store: String?

    /// The blank value that reading fills in.
    package static let blank = FileDestination(name: "")

    /// Creates a destination without a path from the client.
    package init(name: String) { self.name = name }

    /// Reads the `destination` member; nil for none, or for a refused one.
    init?(reading reader: inout FieldReader) {
        guard let value = reader.value("destination") else { return nil }
        guard let object = value.objectValue else { return nil }
        var part = FieldReader(object, at: reader.pointer("destination"))
        let name = part.string("name", maximumLength: 64)
        if name == nil, object["name"]?.isNull ?? true { part.refuse("name", "is required") }
        path = part.string("path", maximumLength: FolderPath.bytesAtMost)
        if let path, let detail = FolderPath.refusal(of: path) { part.refuse("path", detail) }
        if let rule = part.word("on_conflict", of: FileConflict.self) { onConflict = rule }
        keep = part.bool("keep")
        let errors = part.finish()
        reader.adopt(errors)
        guard errors.isEmpty, let name else { return nil }
        self.name = name
    }

    /// The members as a client gives them, to which a merge patch is applied.
    var given: JSON {
        var destination = self
        destination.store = nil
        return destination.tree
    }

    /// The members.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("name", &name)
        members.visit("path", &path)
        members.visit("on_conflict", &onConflict)
        members.visit("keep", &keep, .leftOut)
        members.visit("store", &store, .storedOnly)
    }
}
