// One run of the program's command line, with the text of each stream.
import Foundation

/// The status and the output of `lull` in a shell.
struct CommandRun: Sendable {
    let status: Int32
    let output: String
    let errors: String

    /// Runs `lull` to its end, with only these settings.
    static func of(
        _ arguments: [String], settings: [String: String] = [:], in scratch: Scratch
    ) async throws -> CommandRun {
        let name = UUID().uuidString
        let child = try ChildProcess(
            "/bin/bash",
            [
                "-c", "cd \"$0\" && exec \"$1\" \"${@:3}\" 2> \"$2\"", scratch.path,
                try Repository.lull(), scratch.file(name + ".err"),
            ] + arguments,
            environment: Environment.plain.merging(settings) { $1 },
            log: scratch.file(name + ".out"))
        let status = await child.status()
        return CommandRun(
            status: status, output: try scratch.read(name + ".out"),
            errors: try scratch.read(name + ".err"))
    }

    /// Words that must not appear in messages: names of cases and types, and descriptions for a
    /// debugger.
    static func internalWords(in text: String) -> [String] {
        let patterns = [
            #/\b[a-z]+[A-Z][A-Za-z]*[:(]/#,
            #/Error Domain/#, #/\b[A-Z][a-z]+Error\b/#, #/Optional\(/#, #/\bnil\b/#,
            #/__C\./#, #/failure\(/#, #/Fatal error/#, #/\[[A-Z][A-Za-z]+\(/#,
        ]
        return patterns.flatMap { text.matches(of: $0).map { String(text[$0.range]) } }
    }

    /// Requests of the API in messages for people: a method as the verb, a path, a pointer.
    static func requests(in text: String) -> [String] {
        let patterns = [
            #/\b(?:PATCH|DELETE)\b/#, #/\b(?:GET|POST|PUT) (?:to )?\//#, #/\/v1\//#, #/#\/[a-z]/#,
            #/\bIf-(?:None-)?Match\b/#,
        ]
        return patterns.flatMap { text.matches(of: $0).map { String(text[$0.range]) } }
    }
}
