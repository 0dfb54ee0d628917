import Foundation
import LullClient
import LullURLSession
import Support
import Testing

/// What a session and its tasks tell about themselves.
@Suite(.enabled(if: World.binary != nil))
struct ConfigurationTests {
    private func session(
        _ name: String, _ world: World, _ recorder: Recorder
    ) -> LullURLSession.URLSession {
        .init(
            configuration: .background(withIdentifier: name, server: world.server),
            delegate: recorder, delegateQueue: nil)
    }

    @Test func aSessionHasACopyOfItsConfiguration() async throws {
        let world = try await World.shared()
        let configuration = LullURLSession.URLSessionConfiguration.ephemeral(
            server: world.server, key: nil)
        configuration.timeoutIntervalForRequest = 12
        let session = LullURLSession.URLSession(configuration: configuration)
        configuration.timeoutIntervalForRequest = 13
        session.configuration.timeoutIntervalForRequest = 14
        #expect(session.configuration.timeoutIntervalForRequest == 12)
        #expect(session.configuration.server == world.server)
        #expect(session.delegate == nil)
        session.invalidateAndCancel()
    }

    @Test func dataComesFromARequestAndAURL() async throws {
        let world = try await World.shared()
        let bytes = try world.makeFile("data.bin", length: 2000)
        let url = try #require(URL(string: world.origin + "/data.bin"))
        let session = LullURLSession.URLSession(
            configuration: .ephemeral(server: world.server, key: nil))
        let (first, response) = try await session.data(from: url)
        let (second, _) = try await session.data(for: URLRequest(url: url))
        #expect(first == bytes && second == bytes)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        await #expect(throws: URLError.self) {
            try await session.data(from: url.appending(path: "no"))
        }
        session.finishTasksAndInvalidate()
    }

    @Test func tasksComeByTheirKinds() async throws {
        let world = try await World.shared()
        let session = session("kinds", world, Recorder())
        let url = try #require(URL(string: world.origin + "/none"))
        let file = world.folder.appending(path: "kinds.bin")
        try Data([1]).write(to: file)
        var request = URLRequest(url: url)
        request.httpMethod = "PUT"
        let made: [LullURLSession.URLSessionTask] = [
            session.dataTask(with: url) { _, _, _ in }, session.downloadTask(with: url),
            session.downloadTask(with: url), session.uploadTask(with: request, fromFile: file),
        ]
        for task in made { task.earliestBeginDate = Date() + 3600 }
        let counts = await withCheckedContinuation { waiting in
            session.getTasksWithCompletionHandler { data, uploads, downloads in
                waiting.resume(returning: [data.count, uploads.count, downloads.count])
            }
        }
        #expect(counts == [1, 1, 2])
        let all = await withCheckedContinuation { waiting in
            session.getAllTasks { waiting.resume(returning: $0.map(\.taskIdentifier)) }
        }
        #expect(all == made.map(\.taskIdentifier))
        session.invalidateAndCancel()
    }

    @Test func aTaskCountsItsBytes() async throws {
        let world = try await World.shared()
        try world.makeFile("counted.bin", length: 4000)
        let recorder = Recorder()
        let session = session("counted", world, recorder)
        let task = session.downloadTask(
            with: try #require(URL(string: world.origin + "/counted.bin")))
        #expect(task.countOfBytesExpectedToReceive == NSURLSessionTransferSizeUnknown)
        task.resume()
        _ = try await eventually { recorder.calls.contains("complete") ? true : nil }
        #expect(task.countOfBytesReceived == 4000)
        #expect(task.countOfBytesExpectedToReceive == 4000)
        #expect(task.progress.completedUnitCount == 4000)
        #expect(task.progress.totalUnitCount == 4000)
        session.finishTasksAndInvalidate()
    }

    /// Goes on in the same session, and then in another one, which copies the bytes.
    @Test func aTaskOfResumeDataTellsWhereItGoesOn() async throws {
        try await withWorld(rate: 300_000) { world in
            let bytes = try world.makeFile("long.bin", length: 1_200_000)
            let url = try #require(URL(string: world.origin + "/long.bin"))
            let (first, second) = (Recorder(), Recorder())
            let session = session("first", world, first)
            func pause(_ task: LullURLSession.URLSessionDownloadTask) async throws -> Data {
                _ = try await eventually { task.countOfBytesReceived > 0 ? true : nil }
                let data = await withCheckedContinuation { waiting in
                    task.cancel { waiting.resume(returning: $0) }
                }
                return try #require(data)
            }
            let begun = session.downloadTask(with: url)
            begun.resume()
            let again = session.downloadTask(withResumeData: try await pause(begun))
            again.resume()
            _ = try await eventually {
                first.calls.contains { $0.hasPrefix("resumed") } ? true : nil
            }
            #expect(!first.calls.contains("resumed at 0"), "\(first.calls)")
            let data = try await pause(again)
            let other = self.session("second", world, second)
            other.downloadTask(withResumeData: data).resume()
            _ = try await eventually { second.calls.contains("complete") ? true : nil }
            #expect(second.calls == ["created", "resumed at 0", "file", "complete"])
            #expect(second.error == nil)
            #expect(second.file == bytes)
            session.finishTasksAndInvalidate()
            other.finishTasksAndInvalidate()
        }
    }
}
