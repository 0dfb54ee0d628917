// The texts that the program prints about itself.
internal import API
internal import Client
internal import Store

/// The texts of `lull openapi`, `lull man` and `lull completion`.
enum ProgramTexts {
    /// Returns the text of a command; nil for a command of another kind.
    ///
    /// - Throws: `UsageError` for a page or a shell that is not known.
    static func text(_ arguments: Arguments) throws(UsageError) -> String? {
        let operand = arguments.operands.first
        switch arguments.command.name {
        case "openapi":
            var text = String(decoding: APIDescription.bytes, as: UTF8.self)
            if text.hasSuffix("\n") { text.removeLast() }
            return text
        case "man": return try page(operand)
        case "completion":
            guard let text = CompletionScript(.program).text(for: operand ?? "") else {
                throw UsageError(
                    "SHELL is one of \(CompletionScript.shells.joined(separator: ", "))",
                    arguments.command.words)
            }
            return text
        default: return nil
        }
    }

    private static func page(_ name: String?) throws(UsageError) -> String {
        switch name {
        case nil: return ManPage(.program, version: Version.line).text
        case "commands": return ReferencePage(.program).commands
        case "settings": return ReferencePage(.program).settings
        // Not named in the help: it writes a source file of this program.
        case "codes": return String(StoredCode.sql.dropLast())
        default: throw UsageError("PAGE is commands or settings", ["man"])
        }
    }
}
