/// The place of a finished file in a folder or store of the operator's, outside the data directory.
package struct PlacedFile: MemberList {
    /// The name of the folder or store.
    package var name: String
    /// The path beneath it.
    package var path: String

    /// A path beneath a folder.
    package init(name: String, path: String) { (self.name, self.path) = (name, path) }

    /// The blank value that reading fills in.
    package static let blank = PlacedFile(name: "", path: "")

    /// The members.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("name", &name)
        members.visit("path", &path)
    }
}
