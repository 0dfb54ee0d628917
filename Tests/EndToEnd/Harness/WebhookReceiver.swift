// The receiver of webhooks, which the standardwebhooks library in a Python process verifies.
import Foundation

/// A receiver on loopback that verifies and writes down every delivery.
actor WebhookReceiver {
    /// One delivery as the receiver saw it.
    struct Delivery: Decodable {
        let verified: Bool
        let reason: String?
        let webhookId: String?
        let type: String?
        let subject: String?
        let state: String?
    }

    private let scratch: Scratch
    private var child: ChildProcess?

    init(in scratch: Scratch) {
        self.scratch = scratch
    }

    /// Starts the receiver and returns its base URL; a path `/500` below it gets that status.
    func start() async throws -> String {
        try scratch.write("", to: "secrets")
        child = try ChildProcess(
            try Repository.python(),
            [
                Repository.path("Tests/Receiver/receiver.py"), scratch.file("receiver.url"),
                scratch.file("secrets"), scratch.file("deliveries"),
            ],
            environment: Environment.plain, log: scratch.file("receiver.log"))
        return try await eventually("the address of the receiver") {
            guard child?.isRunning == true else {
                throw HarnessError("the receiver ended: \(try scratch.read("receiver.log"))")
            }
            let address = try scratch.read("receiver.url")
            return address.isEmpty ? nil : address
        }
    }

    /// Accepts signatures made with this `whsec_` secret from now on.
    func trust(_ secret: String) throws {
        try scratch.write(secret, to: "secrets")
    }

    /// Everything that has arrived so far, in order.
    func deliveries() throws -> [Delivery] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try scratch.read("deliveries").split(separator: "\n").map {
            try decoder.decode(Delivery.self, from: Data($0.utf8))
        }
    }

    func stop() async {
        _ = await child?.stop()
        child = nil
    }
}
