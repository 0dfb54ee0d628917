import Foundation
import LullClient
import LullURLSession
import Support
import Testing

/// What a program sets has its effect, or ends the task with the reason.
@Suite(.enabled(if: World.binary != nil))
struct MemberTests {
    private func session(
        _ name: String, _ world: World, _ recorder: Recorder = Recorder(),
        _ change: (LullURLSession.URLSessionConfiguration) -> Void = { _ in }
    ) -> LullURLSession.URLSession {
        let configuration = LullURLSession.URLSessionConfiguration.background(
            withIdentifier: name, server: world.server)
        change(configuration)
        return .init(configuration: configuration, delegate: recorder, delegateQueue: nil)
    }

    private func request(_ place: String, _ world: World) throws -> URLRequest {
        URLRequest(url: try #require(URL(string: world.origin + place)))
    }

    /// The download of a session that is as it should be, once it is.
    private func shown(
        _ name: String, _ world: World, where isRight: (LullClient.Download) -> Bool = { _ in true }
    ) async throws -> LullClient.Download {
        let lull = Lull(server: world.server)
        return try await eventually {
            try await lull.listDownloads(session: name).data.first { isRight($0) }
        }
    }

    @Test func aRedirectIsSeenInTheResponse() async throws {
        let world = try await World.shared()
        let bytes = try world.makeFile("there.bin", length: 3000)
        let recorder = Recorder()
        let session = session("redirected", world, recorder)
        let task = session.downloadTask(with: try request("/moved/there.bin", world))
        task.resume()
        _ = try await eventually { recorder.calls.contains("complete") ? true : nil }
        #expect(recorder.error == nil)
        #expect(recorder.file == bytes)
        #expect(recorder.calls.first == "created")
        #expect(task.originalRequest?.url?.path == "/moved/there.bin")
        #expect(task.response?.url?.path == "/there.bin")
        #expect(task.currentRequest?.url?.path == "/there.bin")
        session.finishTasksAndInvalidate()
    }

    @Test func aTaskWhoseOriginIsNotReachedIsToldOnce() async throws {
        let world = try await World.shared()
        let recorder = Recorder()
        let session = session("unreached", world, recorder)
        let url = try #require(URL(string: "http://127.0.0.1:\(Program.silentPort())/file"))
        let task = session.downloadTask(with: url)
        task.resume()
        _ = try await eventually { recorder.calls.contains("unreached") ? true : nil }
        #expect(!task.waitingReasons.isEmpty)
        task.cancel()
        _ = try await eventually { recorder.calls.contains("complete") ? true : nil }
        #expect(recorder.calls == ["created", "unreached", "complete"])
        session.finishTasksAndInvalidate()
    }

    /// A change of a request that the service cannot do, and words of the error.
    static let refusals: [(change: @Sendable (inout URLRequest) -> Void, words: String)] = [
        ({ $0.httpBodyStream = InputStream(data: Data([1])) }, "Lull sends no streams"),
        ({ $0.cachePolicy = .returnCacheDataDontLoad }, "Lull has no cache"),
        ({ $0.networkServiceType = .video }, "Lull has no networkServiceType"),
        ({ $0.allowsCellularAccess = false }, "use allowsExpensiveNetworkAccess"),
        ({ $0.httpShouldHandleCookies = false }, "Lull keeps cookies for one attempt"),
        ({ $0.mainDocumentURL = URL(string: "http://a.example") }, "rules of cookies"),
        ({ $0.timeoutInterval = 0 }, "timeout"),
        ({ $0.timeoutInterval = .infinity }, "timeout"),
        ({ $0.timeoutInterval = .nan }, "timeout"),
        ({ $0.httpMethod = "PATCH" }, "method"),
        ({ $0.setValue("9", forHTTPHeaderField: "Content-Length") }, "Content-Length"),
    ]

    @Test func aRequestThatCannotBeDoneEndsItsTask() async throws {
        let world = try await World.shared()
        let session = session("refused", world)
        for (change, words) in MemberTests.refusals {
            var request = try request("/none", world)
            change(&request)
            let error = await withCheckedContinuation { waiting in
                session.dataTask(with: request) { _, _, error in
                    waiting.resume(returning: error as? URLError)
                }.resume()
            }
            let said = error?.localizedDescription ?? ""
            #expect(error?.code == .badURL, "\(words)")
            #expect(said.localizedCaseInsensitiveContains(words), "\(words): \(said)")
        }
        session.invalidateAndCancel()
    }

    @Test func anUploadWithABodyBesideItsFileEnds() async throws {
        let world = try await World.shared()
        let session = session("refused", world)
        var request = try request("/in", world)
        request.httpMethod = "PUT"
        request.httpBody = Data([1])
        let file = world.folder.appending(path: "body.bin")
        try Data([2]).write(to: file)
        let error = await withCheckedContinuation { waiting in
            session.uploadTask(with: request, fromFile: file) { _, _, error in
                waiting.resume(returning: error)
            }.resume()
        }
        #expect(error?.localizedDescription.contains("leave httpBody nil") == true)
        session.invalidateAndCancel()
    }

    @Test func membersOfARequestArrive() async throws {
        let world = try await World.shared()
        let session = session("arrived", world)
        var request = try request("/none", world)
        request.httpMethod = "POST"
        request.httpBody = Data("a body".utf8)
        request.timeoutInterval = 7.5
        request.cachePolicy = .reloadIgnoringLocalAndRemoteCacheData
        request.setValue("one", forHTTPHeaderField: "X-One")
        let task = session.dataTask(with: request) { _, _, _ in }
        task.earliestBeginDate = Date() + 3600
        task.priority = 7
        task.resume()
        let made = try await shown("arrived", world)
        #expect(made.method.rawValue == "POST")
        #expect(made.bodyBytes == 6)
        #expect(made.timeoutIntervalForRequest == 8)
        #expect(made.headers.contains { $0.key.lowercased() == "x-one" })
        #expect(made.headers.contains { $0.key.lowercased() == "cache-control" })
        #expect(made.maxBytes == 256 << 20, "it comes into memory")
        #expect(made.priority == 1)
        // It can be moved as long as it has not begun.
        task.earliestBeginDate = Date() + 7200
        _ = try await shown("arrived", world) {
            ($0.earliestBeginDate ?? .distantPast).timeIntervalSinceNow > 7000
        }
        session.invalidateAndCancel()
    }

    @Test func membersOfAConfigurationArrive() async throws {
        let world = try await World.shared()
        let session = session("configured", world) {
            $0.isDiscretionary = true
            $0.sessionSendsLaunchEvents = false
            $0.timeoutIntervalForRequest = 11
            $0.timeoutIntervalForResource = 1200.2
            $0.httpAdditionalHeaders = ["X-Number": 5]
            $0.allowsExpensiveNetworkAccess = false
            $0.allowsConstrainedNetworkAccess = false
            $0.waitsForConnectivity = false
            $0.httpMaximumConnectionsPerHost = 3
        }
        let lull = Lull(server: world.server)
        _ = try await eventually {
            try await lull.listSessions().data.first { $0.identifier == "configured" }
        }
        let told = try await lull.getSession(identifier: "configured").configuration
        #expect(told.isDiscretionary == true)
        #expect(told.sendsLaunchEvents == false)
        #expect(told.timeoutIntervalForRequest == 11)
        #expect(told.timeoutIntervalForResource == 1201)
        #expect(told.allowsExpensiveNetworkAccess == false)
        #expect(told.allowsConstrainedNetworkAccess == false)
        #expect(told.waitsForConnectivity == false)
        #expect(told.httpMaximumConnectionsPerHost == 3)
        #expect(told.httpAdditionalHeaders.keys.contains { $0.lowercased() == "x-number" })
        session.invalidateAndCancel()
    }

    @Test func aRefusedConfigurationEndsEachTask() async throws {
        let world = try await World.shared()
        // The session is there with another configuration, which its tasks must not get.
        try await Lull(server: world.server)
            .putSession(identifier: "wrong", SessionConfiguration())
        for seconds in [0, -1, .infinity, .nan, 1e300] {
            let recorder = Recorder()
            let session = session("wrong", world, recorder) {
                $0.timeoutIntervalForResource = seconds
            }
            session.downloadTask(with: try request("/none", world)).resume()
            _ = try await eventually { recorder.calls.contains("complete") ? true : nil }
            let words = recorder.error?.localizedDescription ?? ""
            #expect(
                words.contains("timeout_interval_for_resource") || words.contains("seconds"),
                "\(seconds): \(words)")
            session.finishTasksAndInvalidate()
        }
    }

    @Test func aLabelThatIsRefusedLaterEndsTheTask() async throws {
        let world = try await World.shared()
        let recorder = Recorder()
        let session = session("labels", world, recorder)
        let task = session.downloadTask(with: try request("/none", world))
        task.earliestBeginDate = Date() + 3600
        task.resume()
        task.taskDescription = String(repeating: "long", count: 5000)
        _ = try await eventually { recorder.calls.contains("complete") ? true : nil }
        #expect(recorder.error?.code == .badURL)
        #expect(task.state == .completed)
        session.finishTasksAndInvalidate()
    }

    @Test func sizesAfterTheFirstResumeEndTheTask() async throws {
        let world = try await World.shared()
        let recorder = Recorder()
        let session = session("sizes", world, recorder)
        let task = session.downloadTask(with: try request("/none", world))
        task.earliestBeginDate = Date() + 3600
        task.countOfBytesClientExpectsToReceive = 500
        task.resume()
        task.countOfBytesClientExpectsToReceive = 500
        _ = try await shown("sizes", world)
        #expect(recorder.calls == ["created"], "the same number changes nothing")
        task.countOfBytesClientExpectsToReceive = 600
        _ = try await eventually { recorder.calls.contains("complete") ? true : nil }
        #expect(recorder.error?.localizedDescription.contains("first resume()") == true)
        session.finishTasksAndInvalidate()
    }

    @Test func aTaskThatGoesOnHasItsOwnMembers() async throws {
        let world = try await World.shared()
        let recorder = Recorder()
        let session = session("going-on", world, recorder)
        let first = session.downloadTask(with: try request("/none", world))
        first.earliestBeginDate = Date() + 3600
        first.taskDescription = "first"
        first.resume()
        _ = try await shown("going-on", world)
        let data = await withCheckedContinuation { waiting in
            first.cancel { waiting.resume(returning: $0) }
        }
        // The sizes are planned with the first task.
        let sized = session.downloadTask(withResumeData: try #require(data))
        sized.countOfBytesClientExpectsToReceive = 700
        sized.resume()
        _ = try await eventually { sized.error }
        #expect(sized.error?.localizedDescription.contains("set none") == true)
        let second = session.downloadTask(withResumeData: try #require(data))
        second.earliestBeginDate = Date() + 7200
        second.priority = 0.75
        second.resume()
        let made = try await shown("going-on", world) {
            $0.state == .waiting && $0.priority == 0.75
        }
        #expect((made.earliestBeginDate ?? .distantPast).timeIntervalSinceNow > 7000)
        #expect(made.taskDescription == nil)
        session.invalidateAndCancel()
    }

    @Test func aTaskOfOtherDataThanResumeDataEnds() async throws {
        let world = try await World.shared()
        let recorder = Recorder()
        let session = session("other-data", world, recorder)
        session.downloadTask(withResumeData: Data("bplist00".utf8)).resume()
        _ = try await eventually { recorder.calls.contains("complete") ? true : nil }
        #expect(recorder.error?.localizedDescription.contains("no resume data of Lull") == true)
        session.finishTasksAndInvalidate()
    }
}
