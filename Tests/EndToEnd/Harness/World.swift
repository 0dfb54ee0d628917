// The environment of an end-to-end test, started before it and removed after it.
import Testing

/// A replica of Lull, an origin and a receiver, all on loopback.
struct World {
    let scratch: Scratch
    let lull: LullProcess
    let origin: NginxOrigin
    let receiver: WebhookReceiver
    /// The base URL of the receiver.
    let receiverURL: String

    var client: LullClient { LullClient(base: lull.base) }

    /// Runs a test in a new world; whatever happens, no process and no file stays behind.
    static func with(
        settings: [String: String] = [:], originBytesPerSecond: Int? = nil,
        wrapper: (Scratch) -> [String] = { _ in [] },
        _ body: (World) async throws -> Void
    ) async throws {
        let scratch = try Scratch()
        let lull = try await LullProcess(
            in: scratch, settings: settings, wrapper: wrapper(scratch))
        let origin = try await NginxOrigin(in: scratch, bytesPerSecond: originBytesPerSecond)
        let receiver = WebhookReceiver(in: scratch)
        do {
            let url = try await receiver.start()
            try await origin.start()
            try await lull.start()
            let world = World(
                scratch: scratch, lull: lull, origin: origin, receiver: receiver, receiverURL: url)
            try await receiver.trust(try await world.client.webhookSecret())
            try await body(world)
        } catch {
            Issue.record(error, "lull's log ends:\n\(try await lull.logEnd())")
        }
        // The clean-up runs in a task of its own, so that it is done even if the test ran out of
        // time.
        try await Task {
            await receiver.stop()
            await origin.cut()
            try await lull.sweep()
            try scratch.remove()
        }.value
    }
}
