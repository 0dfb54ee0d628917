/// The reasons of a wake; the raw value is the number in the store.
package struct WakeReasons: OptionSet, Hashable, Sendable {
    /// The bits.
    package let rawValue: Int16

    /// Reads the bits of the store.
    package init(rawValue: Int16) { self.rawValue = rawValue }

    /// A download succeeded.
    package static let completed = WakeReasons(rawValue: 1)
    /// A download failed.
    package static let failed = WakeReasons(rawValue: 2)
    /// A download waits for the client.
    package static let attentionRequired = WakeReasons(rawValue: 4)

    /// The names on the wire, in a fixed order.
    package var names: [String] {
        var names: [String] = []
        if contains(.completed) { names.append("completed") }
        if contains(.failed) { names.append("failed") }
        if contains(.attentionRequired) { names.append("attention_required") }
        return names
    }
}
