/// The reason why a text is not a timetable, in words for its author.
package struct TimetableError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The text that was read.
    package let text: String
    /// The number of characters before the fault.
    package let position: Int
    /// The fault, in words.
    package let reason: String

    /// The fault, its place and a good example.
    package var description: String {
        "\"\(text)\", character \(position + 1): \(reason); write for example \"10M\", "
            + "\"08:00,512k 18:00,off\" or \"Mon-08:00,2M;Sat-00:00,off\""
    }
}
