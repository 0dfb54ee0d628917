/// The error of a command line that cannot be understood, one sentence; exit status 2.
package struct UsageError: Error, CustomStringConvertible {
    /// The sentence, followed by a pointer to the help.
    package let description: String

    /// Creates an error from a sentence, and adds a pointer to the help.
    package init(_ sentence: String, _ command: [String] = []) {
        let name = (["lull"] + command).joined(separator: " ")
        description = sentence + (sentence.hasSuffix("?") ? " See" : "; see") + " \(name) --help"
    }
}
