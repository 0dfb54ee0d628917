package import Base

/// The stores of `LULL_DESTINATIONS`.
package struct OpenStores: Sendable {
    /// All of them.
    package let all: [ObjectStore]

    /// No stores.
    package static let none = OpenStores([])

    /// Creates a list.
    package init(_ stores: [ObjectStore]) { all = stores }

    /// The store that a name means for an app: its own one comes before the one for all apps.
    package func find(_ name: String, app: String) -> ObjectStore? {
        all.first { $0.name == name && $0.app == app }
            ?? all.first { $0.name == name && $0.app == nil }
    }

    /// The store with an identifier.
    package func find(_ identifier: Identifier) -> ObjectStore? {
        all.first { $0.identifier == identifier }
    }
}
