/// What a text may not exceed.
package struct JSONLimits: Sendable {
    /// How many arrays and objects may stand in each other, 1 or more.
    package var depth: Int
    /// How many bytes the text may have.
    package var bytes: Int
    /// How many values the text may have, arrays and objects counted with what they hold.
    package var values: Int
    /// How many members one object may have.
    package var members: Int
    /// How many bytes of memory the values may take, about; long texts take little more than they
    /// have, short ones many times that.
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
