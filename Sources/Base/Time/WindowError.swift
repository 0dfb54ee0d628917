/// The reason why a text is not a window, in words for its author.
package struct WindowError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The text that was read.
    package let text: String
    /// The number of characters before the fault.
    package let position: Int
    /// The fault, in words.
    package let reason: String

    /// The fault, its place and a good example.
    package var description: String {
        "\"\(text)\", character \(position + 1): \(reason); write for example "
            + "\"Mon-Fri 22:00-06:00\", \"Sat,Sun 00:00-24:00\" or \"22:00-06:00\""
    }
}
