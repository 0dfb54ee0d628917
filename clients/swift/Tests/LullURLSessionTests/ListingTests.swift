import Foundation
import Listings
import LullClient
import LullURLSession
import Support
import Testing

/// The listings of apps do on a server what they do in an app.
@Suite(.enabled(if: World.binary != nil))
struct ListingTests {
    @Test func aBackgroundTaskHasItsBeginAndItsSizes() async throws {
        let world = try await World.shared()
        let controller = BackgroundController(server: world.server, documents: world.folder)
        let url = try #require(URL(string: world.origin + "/none"))
        let task = controller.begin(url)
        #expect(task.state == .running)
        let lull = Lull(server: world.server)
        let made = try await eventually { () -> LullClient.Download? in
            try await lull.listDownloads(session: "MySession").data.first
        }
        #expect(abs((made.earliestBeginDate ?? .distantPast).timeIntervalSinceNow - 3600) < 60)
        #expect(made.countOfBytesClientExpectsToReceive == 512_000)
        #expect(made.countOfBytesClientExpectsToSend == 200)
        #expect(made.isDiscretionary)
        let reasons = try await eventually { () -> [String]? in
            task.waitingReasons.isEmpty ? nil : task.waitingReasons
        }
        #expect(reasons.first?.isEmpty == false)
        controller.urlSession.invalidateAndCancel()
        _ = try await eventually { controller.failed.isEmpty ? nil : true }
        #expect((controller.failed.first as? URLError)?.code == .cancelled)
        #expect(task.state == .completed)
    }

    @Test func aSearchAnswersAndTheOneBeforeItIsCanceled() async throws {
        let world = try await World.shared()
        let answer = """
            {"resultCount": 1, "results": [{"trackName": "Low C", "artistName": "Sine",
             "previewUrl": "\(world.origin)/low.wav"}]}
            """
        try Data(answer.utf8).write(to: world.folder.appending(path: "origin/search"))
        let service = QueryService(server: world.server)
        let tracks = await withCheckedContinuation { waiting in
            // Its session is of the kind that ends with the program.
            service.getSearchResults(at: world.origin + "/search", searchTerm: "si") { _, _ in }
            service.getSearchResults(at: world.origin + "/search", searchTerm: "sine") {
                tracks, _ in
                waiting.resume(returning: tracks?.map(\.name))
            }
        }
        #expect(tracks == ["Low C"])
    }

    @Test func aSongIsPausedAndGoesOnWhereItWas() async throws {
        try await withWorld(rate: 400_000) { world in
            let bytes = try world.makeFile("song.wav", length: 1_500_000)
            let url = try #require(URL(string: world.origin + "/song.wav"))
            let controller = SearchViewController(server: world.server, documents: world.folder)
            controller.viewDidLoad()
            let track = Track(artist: "Sine", index: 0, name: "Song", previewURL: url)
            controller.downloadService.startDownload(track)
            _ = try await eventually { controller.shown.isEmpty ? nil : true }
            await withCheckedContinuation { waiting in
                controller.downloadService.pauseDownload(track) { waiting.resume() }
            }
            let download = try #require(controller.downloadService.activeDownloads[url])
            #expect(download.resumeData != nil)
            #expect(download.progress > 0)
            let lull = Lull(server: world.server)
            let paused = try await eventually { () -> Listed? in
                let found = try await lull.listDownloads().data.first
                return found?.state == .suspended ? Listed(found) : nil
            }
            #expect(paused.received > 0)
            let error = await withCheckedContinuation { waiting in
                controller.onEnd = { waiting.resume(returning: $0 as? URLError) }
                controller.downloadService.resumeDownload(track)
            }
            #expect(error == nil)
            #expect(try Data(contentsOf: controller.localFilePath(for: url)) == bytes)
            #expect(
                controller.shown.last?.hasPrefix("100.0% of 1.5") == true, "\(controller.shown)")
            // What was told is removed from the service.
            _ = try await eventually { try await lull.listDownloads().data.isEmpty ? true : nil }
        }
    }

    private struct Listed {
        let received: Int

        init(_ download: LullClient.Download?) {
            received = download?.countOfBytesReceived ?? 0
        }
    }
}

/// Asks until there is an answer, for a minute.
func eventually<Answer>(_ question: () async throws -> Answer?) async throws -> Answer {
    for _ in 0..<1200 {
        if let answer = try await question() { return answer }
        try await Task.sleep(for: .milliseconds(50))
    }
    throw InVain("no answer within a minute")
}

/// A wait that was in vain.
struct InVain: Error {
    let words: String

    init(_ words: String) {
        self.words = words
    }
}
