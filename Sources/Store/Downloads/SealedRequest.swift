package import Downloads
internal import Postgres

/// A request with its secrets sealed.
package struct SealedRequest: Sendable {
    /// The part without secrets.
    package var shape: RequestShape
    /// The secrets; nil without any.
    package let sealed: [UInt8]?

    /// Creates a pair of both values.
    package init(shape: RequestShape, sealed: [UInt8]?) {
        precondition(shape.hasSecrets == (sealed != nil), "what is shown is what is sealed")
        self.shape = shape
        self.sealed = sealed
    }
}
