import Foundation
import Support
import Testing

/// Apple's API that Lull does not have does not compile, and the compiler says what to do.
struct UnavailableTests {
    /// A line of code, and words of the compiler's message about it.
    static let lines = [
        ("_ = URLSession.shared", "make a session with a configuration"),
        ("_ = session.dataTask(with: url)", "use dataTask(with:completionHandler:)"),
        ("_ = session.uploadTask(with: request, from: Data())", "uploadTask(with:fromFile:)"),
        ("session.webSocketTask(with: url)", "Lull has no WebSockets"),
        ("session.streamTask(withHostName: \"a\", port: 1)", "Lull has no streams"),
        ("session.reset {}", "has nothing to reset"),
        ("session.flush {}", "has nothing to flush"),
        ("_ = configuration.urlCache", "Lull has no cache"),
        ("_ = configuration.httpCookieStorage", "cookies for one attempt"),
        ("_ = configuration.urlCredentialStorage", "in the header fields"),
        ("_ = configuration.protocolClasses", "run in the service"),
        ("configuration.allowsCellularAccess = false", "use allowsExpensiveNetworkAccess"),
        ("_ = configuration.sharedContainerIdentifier", "no shared containers"),
        ("func a(_: URLAuthenticationChallenge) {}", "Lull asks no program for credentials"),
        ("func b(_: URLSessionTaskMetrics) {}", "listAttempts"),
    ]

    @Test func eachIsAnErrorWithAMessage() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "lull-unavailable-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            // A folder of a test that is left behind does no harm.
            try? FileManager.default.removeItem(at: folder)
        }
        let head = """
            import Foundation
            import LullURLSession
            func all(
                session: URLSession, configuration: URLSessionConfiguration, url: URL,
                request: URLRequest
            ) {

            """
        let body = UnavailableTests.lines.map(\.0).joined(separator: "\n")
        let file = folder.appending(path: "all.swift")
        try Data((head + body + "\n}").utf8).write(to: file)
        let said = try compile(file)
        for (line, words) in UnavailableTests.lines {
            #expect(said.contains(words), "\(line)")
        }
        let errors = said.split(separator: "\n").count {
            $0.contains("all.swift") && $0.contains("error:")
        }
        #expect(errors == UnavailableTests.lines.count, "\(said)")
    }

    /// What the compiler says about a file that imports the built module.
    private func compile(_ file: URL) throws -> String {
        let products = try #require(Bundle.main.executableURL?.deletingLastPathComponent())
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "swiftc", "-typecheck", "-swift-version", "6", "-I",
            products.appending(path: "Modules").path, file.path,
        ]
        process.standardError = output
        process.standardOutput = output
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: said, as: UTF8.self)
    }
}
