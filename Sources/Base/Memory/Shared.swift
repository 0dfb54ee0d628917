/// A large value that is passed on by reference, so that a copy of its holder counts one reference.
///
/// CONTRIBUTING.md says which values are held like this.
package final class Shared<Value: Sendable>: Sendable {
    /// The value; a change makes a new object.
    package let value: Value

    /// Puts a value into a new object.
    package init(_ value: Value) { self.value = value }
}
