/// An argument of a command beside its options.
package struct Operand: Sendable {
    /// The placeholder in help, such as `ID`.
    package let name: String
    /// Whether the operand is required.
    package let isRequired: Bool
    /// Whether the operand may be given more than once; only the last operand of a command may.
    package let repeats: Bool

    /// Creates an operand.
    package init(_ name: String, isRequired: Bool = true, repeats: Bool = false) {
        self.name = name
        self.isRequired = isRequired
        self.repeats = repeats
    }

    /// The operand as usage lines show it: `ID`, `ID...`, `[ID]...`.
    package var text: String {
        (isRequired ? name : "[\(name)]") + (repeats ? "..." : "")
    }
}
