/// The reason why bytes in the file can no longer be used.
package struct DiscardReason: Equatable, Sendable {
    /// A few words for the attempt's record.
    package let text: String
    /// Whether the source has changed; if not, the bytes only cannot be continued.
    package let isSourceChange: Bool

    /// A reason: the source has changed.
    package static func changed(_ how: String) -> DiscardReason {
        DiscardReason(text: "the source changed: \(how)", isSourceChange: true)
    }

    /// A reason: the answer cannot be appended to the bytes in the file.
    package static func unusable(_ text: String) -> DiscardReason {
        DiscardReason(text: text, isSourceChange: false)
    }
}
