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
        ("_ = session.uploadTask(withStreamedRequest: request)", "use uploadTask(with:fromFile:)"),
        (
            "_ = session.uploadTask(with: request, from: nil) { _, _, _ in }",
            "write the data to a file"
        ),
        ("_ = session.uploadTask(withResumeData: Data())", "suspend() the upload task"),
        (
            "_ = try await session.download(for: request)",
            "use downloadTask(with:completionHandler:)"
        ),
        ("_ = try await session.download(from: url)", "use downloadTask(with:completionHandler:)"),
        (
            "_ = try await session.upload(for: request, fromFile: url)",
            "use uploadTask(with:fromFile:completionHandler:)"
        ),
        ("_ = try await session.upload(for: request, from: Data())", "write the data to a file"),
        ("_ = try await session.bytes(for: request)", "use data(for:)"),
        ("_ = try await session.bytes(from: url)", "use data(from:)"),
        ("session.sessionDescription = nil", "use the identifier"),
        ("configuration.requestCachePolicy = .reloadIgnoringLocalCacheData", "Lull has no cache"),
        ("configuration.networkServiceType = .background", "use isDiscretionary"),
        ("configuration.httpShouldSetCookies = false", "cookies for one attempt"),
        ("_ = configuration.httpCookieAcceptPolicy", "cookies for one attempt"),
        ("configuration.httpShouldUsePipelining = true", "before the answer"),
        ("configuration.connectionProxyDictionary = [:]", "the operator sets proxies"),
        ("_ = configuration.proxyConfigurations", "the operator sets proxies"),
        ("_ = configuration.tlsMinimumSupportedProtocol", "TLS 1.2 or later"),
        ("_ = configuration.tlsMaximumSupportedProtocol", "TLS 1.2 or later"),
        ("_ = configuration.tlsMinimumSupportedProtocolVersion", "TLS 1.2 or later"),
        ("_ = configuration.tlsMaximumSupportedProtocolVersion", "TLS 1.2 or later"),
        ("configuration.shouldUseExtendedBackgroundIdleMode = true", "those of the service"),
        ("_ = configuration.multipathServiceType", "those of the service"),
        ("configuration.requiresDNSSECValidation = true", "resolved by the service"),
        ("configuration.enablesEarlyData = true", "those of the service"),
        ("_ = task.delegate", "give the session a delegate"),
        ("task.prefersIncrementalDelivery = true", "when all are there"),
        ("func a(_: URLAuthenticationChallenge) {}", "Lull asks no program for credentials"),
        ("func b(_: URLSessionTaskMetrics) {}", "listAttempts"),
        ("func c(_: CachedURLResponse) {}", "Lull has no cache"),
        ("func d(_: URLSessionWebSocketTask) {}", "Lull has no WebSockets"),
        ("func e(_: URLSessionStreamTask) {}", "Lull has no streams"),
        ("func f(_: any URLSessionWebSocketDelegate) {}", "Lull has no WebSockets"),
        ("func g(_: any URLSessionStreamDelegate) {}", "Lull has no streams"),
        ("func h(_: URLSession.AuthChallengeDisposition) {}", "give them in the request"),
        ("func i(_: URLSession.ResponseDisposition) {}", "or a download task"),
        ("func j(_: URLSession.DelayedRequestDisposition) {}", "use beginHook"),
    ]

    /// A method of a delegate that would never be called, and words of the message.
    static let methods = [
        (
            """
            func urlSession(
                _ session: URLSession, task: URLSessionTask,
                willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
                completionHandler: @escaping (URLRequest?) -> Void) {}
            """, "Lull follows redirects by itself"
        ),
        (
            """
            func urlSession(
                _ session: URLSession, task: URLSessionTask,
                willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest
            ) async -> URLRequest? { nil }
            """, "Lull follows redirects by itself"
        ),
        (
            """
            func urlSession(
                _ session: URLSession, task: URLSessionTask,
                needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void) {}
            """, "Lull sends no streams"
        ),
        (
            """
            func urlSession(
                _ session: URLSession, needNewBodyStreamForTask task: URLSessionTask
            ) async -> InputStream? { nil }
            """, "Lull sends no streams"
        ),
        (
            """
            func urlSession(
                _ session: URLSession, task: URLSessionTask, needNewBodyStreamFrom offset: Int64,
                completionHandler: @escaping @Sendable (InputStream?) -> Void) {}
            """, "Lull sends no streams"
        ),
        (
            """
            func urlSession(
                _ session: URLSession, task: URLSessionTask,
                didReceiveInformationalResponse response: HTTPURLResponse) {}
            """, "Lull does not tell answers of 1xx"
        ),
        (
            """
            func urlSession(
                _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}
            """, "use dataTask(with:completionHandler:)"
        ),
        (
            """
            func urlSession(
                _ session: URLSession, dataTask: URLSessionDataTask,
                didBecome downloadTask: URLSessionDownloadTask) {}
            """, "make a download task in the first place"
        ),
    ]

    /// A delegate of an app may be Swift 5, where mistakes of concurrency are warnings.
    @Test(arguments: ["5", "6"])
    func aMethodThatWouldNeverBeCalledIsAnErrorWithAMessage(version: String) throws {
        var text = "import Foundation\nimport LullURLSession\n"
        // One that is in order: with other labels it is another method, and none that anybody calls.
        text += "class Allowed: NSObject, URLSessionDataDelegate { func a() {} }\n"
        var places: [Int] = []
        for (number, (method, _)) in UnavailableTests.methods.enumerated() {
            text += "class Delegate\(number): NSObject, URLSessionDataDelegate {\n"
            places.append(text.count { $0 == "\n" } + 1)
            text += method + "\n}\n"
        }
        let said = try compile("delegates", text, version)
        for ((method, words), line) in zip(UnavailableTests.methods, places) {
            #expect(said.contains("delegates.swift:\(line):6: error:"), "\(method) \(said)")
            #expect(said.contains(words), "\(method) \(said)")
        }
        #expect(!said.contains("delegates.swift:3:"), "\(said)")
    }

    @Test func eachIsAnErrorWithAMessage() throws {
        let head = """
            import Foundation
            import LullURLSession
            func all(
                session: URLSession, configuration: URLSessionConfiguration, url: URL,
                request: URLRequest, task: URLSessionTask
            ) async throws {

            """
        let body = UnavailableTests.lines.map(\.0).joined(separator: "\n")
        let said = try compile("all", head + body + "\n}", "6")
        for (line, words) in UnavailableTests.lines {
            #expect(said.contains(words), "\(line)")
        }
        let errors = said.split(separator: "\n").count {
            $0.contains("all.swift") && $0.contains("error:")
        }
        #expect(errors == UnavailableTests.lines.count, "\(said)")
    }

    /// What the compiler says about a file that imports the built module.
    private func compile(_ name: String, _ text: String, _ version: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "lull-unavailable-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            // A folder of a test that is left behind does no harm.
            try? FileManager.default.removeItem(at: folder)
        }
        let file = folder.appending(path: name + ".swift")
        try Data(text.utf8).write(to: file)
        let products = try #require(Bundle.main.executableURL?.deletingLastPathComponent())
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "swiftc", "-typecheck", "-swift-version", version, "-I",
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
