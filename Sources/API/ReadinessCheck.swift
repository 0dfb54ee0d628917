internal import Core
internal import Crypto
internal import HTTPWire
internal import Store

/// One answer to "can the service work".
package struct ReadinessCheck: Sendable {
    /// What was looked at, one word.
    package let name: String
    /// Whether it is as it should be.
    package let isOK: Bool
    /// How it is, one sentence without secrets.
    package let detail: String

    /// Sets all members.
    package init(name: String, isOK: Bool, detail: String) {
        self.name = name
        self.isOK = isOK
        self.detail = detail
    }
}
