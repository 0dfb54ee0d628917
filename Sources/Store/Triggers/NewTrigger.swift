package import Base
package import Scheduling

/// A trigger that is to be stored.
package struct NewTrigger: Sendable {
    /// Its identifier.
    package let id: Identifier
    /// The digest of its token; the token itself is stored nowhere.
    package let digest: [UInt8]
    /// How its calls are signed.
    package let signature: TriggerSignature
    /// The sealed secret of the signatures; nil for calls without signatures.
    package let sealed: [UInt8]?

    /// Creates a value with all its members.
    package init(
        id: Identifier, digest: [UInt8], signature: TriggerSignature, sealed: [UInt8]?
    ) {
        self.id = id
        self.digest = digest
        self.signature = signature
        self.sealed = sealed
    }
}
