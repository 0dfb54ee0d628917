/// Facts of a file: while they stay equal, its proved bytes were not edited.
///
/// An edit that restores the time of the last change is not noticed.
package struct FileFacts: MemberList {
    /// In bytes.
    package var length: Int64
    /// The time at which the file was last written, in nanoseconds since 1970; see `st_mtim` in
    /// stat(2).
    package var modified: Int64
    /// The number of the file in its file system.
    package var inode: Int64

    /// Creates a value with all its members.
    package init(length: Int64, modified: Int64, inode: Int64) {
        self.length = length
        self.modified = modified
        self.inode = inode
    }

    /// The blank value that reading fills in.
    package static let blank = FileFacts(length: 0, modified: 0, inode: 0)

    /// The members.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("length", &length)
        members.visit("modified", &modified)
        members.visit("inode", &inode)
    }

    /// The facts as a component of a path.
    package var text: String { "\(length).\(modified).\(inode)" }
}
