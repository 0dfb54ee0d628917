/// Why bytes that are here are no longer of use.
package struct DiscardReason: Equatable, Sendable {
    /// A few words for the attempt's record.
    package let text: String
    /// Whether the source is another one now; else only the way on is barred.
    package let isSourceChange: Bool

    /// The source is another one now.
    package static func changed(_ how: String) -> DiscardReason {
        DiscardReason(text: "the source changed: \(how)", isSourceChange: true)
    }

    /// The answer cannot be put behind what is here.
    package static func unusable(_ text: String) -> DiscardReason {
        DiscardReason(text: text, isSourceChange: false)
    }
}
