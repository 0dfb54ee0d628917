internal import Postgres
package import Scheduling

/// The documents of the deployment and of its apps.
package struct PolicyDocuments: Sendable {
    /// Rises with every change of one of them.
    package var version: Int64 = 0
    /// The deployment's document; nil if none was ever stored.
    package var deployment: StoredPolicy?
    /// The documents of apps.
    package var apps: [Policy.AppDocument] = []

    /// Creates a value without documents.
    package init() {}
}
