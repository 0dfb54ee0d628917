/// A command line that cannot be followed, one sentence; exit status 2.
package struct UsageError: Error, CustomStringConvertible {
    /// The sentence, with where help is.
    package let description: String

    /// Says what is wrong, and where help is.
    package init(_ sentence: String, _ command: [String] = []) {
        let name = (["lull"] + command).joined(separator: " ")
        description = sentence + (sentence.hasSuffix("?") ? " See" : "; see") + " \(name) --help"
    }
}
