/// The program's version.
enum Version {
    static let text = "0.2.0"

    /// The line of `lull --version`.
    static var line: String { "lull \(text)" }
}
