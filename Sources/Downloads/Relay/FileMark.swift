/// Facts of an unfinished file: while they stay equal, its bytes were not written since.
package struct FileMark: MemberList {
    /// The device of its file system.
    package var device: Int64
    /// Its number in the file system.
    package var inode: Int64
    /// In bytes.
    package var length: Int64
    /// The time at which it was last written, in nanoseconds since 1970; see stat(2).
    package var modified: Int64
    /// The time at which it was last written or renamed, in nanoseconds since 1970.
    package var changed: Int64

    /// Creates a value with all its members.
    package init(device: Int64, inode: Int64, length: Int64, modified: Int64, changed: Int64) {
        self.device = device
        self.inode = inode
        self.length = length
        self.modified = modified
        self.changed = changed
    }

    /// The blank value that reading fills in.
    package static let blank = FileMark(device: 0, inode: 0, length: 0, modified: 0, changed: 0)

    /// The members.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("device", &device)
        members.visit("inode", &inode)
        members.visit("length", &length)
        members.visit("modified", &modified)
        members.visit("changed", &changed)
    }
}
