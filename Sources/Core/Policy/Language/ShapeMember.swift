/// One named member of an object.
package struct ShapeMember: Sendable {
    /// Its name.
    let name: String
    /// What it may be.
    let shape: Shape
    /// Whether the object needs it.
    let isRequired: Bool
    /// What it means, for the schema; a sentence without a full stop.
    let meaning: String

    /// Names a member.
    init(_ name: String, _ shape: Shape, isRequired: Bool = false, _ meaning: String) {
        self.name = name
        self.shape = shape
        self.isRequired = isRequired
        self.meaning = meaning
    }
}
