/// The limits of a JSON text.
package struct JSONLimits: Sendable {
    /// The most levels of nested arrays and objects, 1 or more.
    package var depth: Int
    /// The most bytes of the text.
    package var bytes: Int
    /// The most values in the text; arrays and objects count, and so do their elements.
    package var values: Int
    /// The most members of one object.
    package var members: Int
    /// The approximate most bytes of memory for the values: a long text takes little more than its
    /// length, short ones many times theirs.
    package var memory: Int

    /// 64 levels, 16 MiB of text, 200,000 values, 1,000 members and 8 MiB of memory unless given
    /// otherwise.
    package init(
        depth: Int = 64, bytes: Int = 16 << 20, values: Int = 200_000, members: Int = 1000,
        memory: Int = 8 << 20
    ) {
        precondition(depth >= 1 && depth <= 512, "each level costs stack")
        self.depth = depth
        self.bytes = bytes
        self.values = values
        self.members = members
        self.memory = memory
    }

    /// The limits for requests.
    package static let `default` = JSONLimits()
}
