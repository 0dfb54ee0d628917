/// What a command takes beside its options.
package struct Operand: Sendable {
    /// The placeholder in help, such as `ID`.
    package let name: String
    /// Whether the command needs it.
    package let isRequired: Bool
    /// Whether it may be given more than once; only the last operand of a command.
    package let repeats: Bool

    /// Describes an operand.
    package init(_ name: String, isRequired: Bool = true, repeats: Bool = false) {
        self.name = name
        self.isRequired = isRequired
        self.repeats = repeats
    }

    /// As usage lines show it: `ID`, `ID...`, `[ID]...`.
    package var text: String {
        (isRequired ? name : "[\(name)]") + (repeats ? "..." : "")
    }
}
