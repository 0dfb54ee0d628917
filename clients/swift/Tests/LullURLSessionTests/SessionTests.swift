import Foundation
import LullClient
import LullURLSession
import Support
import Testing

/// Tasks of each kind, and what a session tells.
@Suite(.enabled(if: World.binary != nil))
struct SessionTests {
    private func session(
        _ name: String, _ world: World, _ recorder: Recorder
    ) -> LullURLSession.URLSession {
        let configuration = LullURLSession.URLSessionConfiguration.background(
            withIdentifier: name, server: world.server)
        return .init(configuration: configuration, delegate: recorder, delegateQueue: nil)
    }

    @Test func endsWithoutTheProgramAreToldAfterItsStart() async throws {
        let world = try await World.shared()
        let bytes = try world.makeFile("ended.bin", length: 5000)
        let lull = Lull(server: world.server)
        try await lull.putSession(identifier: "started", SessionConfiguration())
        // As a run of the program made it that was killed.
        let made = try await lull.createDownload(
            NewDownload(
                url: world.origin + "/ended.bin", session: "started", externalID: "one",
                taskDescription: "mine",
                metadata: ["lull.urlsession": "1", "lull.task": "7", "lull.kind": "download"]))
        // Another program's download of this session is left alone.
        let other = try await lull.createDownload(
            NewDownload(url: world.origin + "/ended.bin", session: "started"))
        _ = try await lull.ended(made.id)
        let recorder = Recorder()
        let session = session("started", world, recorder)
        _ = try await eventually { recorder.calls.count >= 3 ? true : nil }
        #expect(recorder.calls == ["file", "complete", "events"])
        #expect(recorder.file == bytes)
        #expect(recorder.error == nil)
        session.finishTasksAndInvalidate()
        _ = try await eventually { recorder.calls.last == "invalid" ? true : nil }
        let left = try await lull.listDownloads(session: "started").data
        #expect(left.map(\.id) == [other.id])
    }

    @Test func aTaskOfAnEarlierRunIsFoundAgain() async throws {
        let world = try await World.shared()
        let first = session("found", world, Recorder())
        let url = try #require(URL(string: world.origin + "/none"))
        let task = first.downloadTask(with: url)
        task.taskDescription = "mine"
        task.earliestBeginDate = Date() + 3600
        task.resume()
        let lull = Lull(server: world.server)
        _ = try await eventually { () -> Bool? in
            // The session is made with the first request of the task.
            let found = try await lull.listDownloads(session: "found").data
            return found.isEmpty ? nil : true
        }
        let recorder = Recorder()
        let second = session("found", world, recorder)
        let again = try #require(await second.allTasks.first)
        #expect(again.taskIdentifier == task.taskIdentifier)
        #expect(again.originalRequest?.url == url)
        #expect(again.taskDescription == "mine")
        #expect(again.state == .running)
        again.suspend()
        #expect(again.state == .suspended)
        _ = try await eventually { () -> Bool? in
            try await lull.listDownloads(session: "found").data.first?.state == .suspended
                ? true : nil
        }
        again.cancel()
        _ = try await eventually { recorder.calls.isEmpty ? nil : true }
        #expect(recorder.calls == ["complete"])
        #expect(recorder.error?.code == .cancelled)
        second.invalidateAndCancel()
        first.invalidateAndCancel()
    }

    @Test func aFileIsSentToTheURLOfItsRequest() async throws {
        let world = try await World.shared()
        let recorder = Recorder()
        let session = session("sent", world, recorder)
        let file = world.folder.appending(path: "sent.bin")
        try Data(repeating: 7, count: 100_000).write(to: file)
        var request = URLRequest(url: try #require(URL(string: world.origin + "/in")))
        request.httpMethod = "PUT"
        let task = session.uploadTask(with: request, fromFile: file)
        task.resume()
        _ = try await eventually { recorder.calls.contains("complete") ? true : nil }
        #expect(recorder.error == nil)
        #expect((task.response as? HTTPURLResponse)?.statusCode == 204)
        #expect(task.countOfBytesSent == 100_000)
        #expect(recorder.calls.first == "created")
        #expect(recorder.calls.contains("sent"))
        session.invalidateAndCancel()
    }

    @Test func aStatusOfAFailureIsThere() async throws {
        let world = try await World.shared()
        let session = LullURLSession.URLSession(
            configuration: .ephemeral(server: world.server, key: nil))
        let url = try #require(URL(string: world.origin + "/nowhere?token=secret"))
        let (status, code) = await withCheckedContinuation { waiting in
            session.dataTask(with: url) { data, response, error in
                #expect(data == nil)
                waiting.resume(
                    returning: (
                        (response as? HTTPURLResponse)?.statusCode, (error as? URLError)?.code
                    ))
            }.resume()
        }
        #expect(status == 404)
        #expect(code == .resourceUnavailable)
        session.finishTasksAndInvalidate()
    }

    @Test func priorityAndDescriptionCanBeChangedAfterTheFirstResume() async throws {
        let world = try await World.shared()
        let session = session("changed", world, Recorder())
        let task = session.downloadTask(with: try #require(URL(string: world.origin + "/none")))
        task.earliestBeginDate = Date() + 3600
        task.resume()
        // Perhaps before the service has it.
        task.priority = URLSessionTask.highPriority
        task.taskDescription = "first"
        let lull = Lull(server: world.server)
        func isShown(_ priority: Double, _ description: String?) async throws -> Bool? {
            let shown = try await lull.listDownloads(session: "changed").data.first
            return shown?.priority == priority && shown?.taskDescription == description ? true : nil
        }
        _ = try await eventually { try await isShown(0.75, "first") }
        task.priority = 0.25
        task.taskDescription = nil
        _ = try await eventually { try await isShown(0.25, nil) }
        session.invalidateAndCancel()
    }

    @Test func anInvalidRequestEndsWithTheReason() async throws {
        let world = try await World.shared()
        let session = LullURLSession.URLSession(
            configuration: .default(server: world.server, key: nil))
        let url = try #require(URL(string: "ftp://a.example/file"))
        let words = await withCheckedContinuation { waiting in
            session.downloadTask(with: url) { _, _, error in
                waiting.resume(returning: error?.localizedDescription ?? "")
            }.resume()
        }
        #expect(!words.isEmpty)
        session.invalidateAndCancel()
    }
}
