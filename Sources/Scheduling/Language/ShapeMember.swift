/// One named member of an object.
package struct ShapeMember: Sendable {
    /// Its name.
    let name: String
    /// The shape of its value.
    let shape: Shape
    /// Whether the object has to have it.
    let isRequired: Bool
    /// Its meaning, for the schema; a sentence without a full stop.
    let meaning: String

    /// Creates a member.
    init(_ name: String, _ shape: Shape, isRequired: Bool = false, _ meaning: String) {
        self.name = name
        self.shape = shape
        self.isRequired = isRequired
        self.meaning = meaning
    }
}
