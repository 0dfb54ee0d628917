internal import Crypto
internal import HTTPWire
internal import Store

/// One check of whether the service can work.
package struct ReadinessCheck: Sendable {
    /// The subject of the check, one word.
    package let name: String
    /// Whether the check succeeded.
    package let isOK: Bool
    /// The result, one sentence without secrets.
    package let detail: String

    /// Sets all members.
    package init(name: String, isOK: Bool, detail: String) {
        self.name = name
        self.isOK = isOK
        self.detail = detail
    }
}
