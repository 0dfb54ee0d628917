// One download in the log: the request that made it, its transfer, its webhook.
import Foundation
import Support
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct TraceTests {
        private static let trace = "0af7651916cd43dd8448eb211c80319c"

        /// The lines of the log with a message, each an object.
        private func lines(_ message: String, _ log: String) throws -> [[String: Any]] {
            try log.split(separator: "\n").compactMap { line in
                guard line.hasPrefix("{") else { return nil }
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                return object as? [String: Any]
            }
            .filter { $0["msg"] as? String == message }
        }

        @Test(.timeLimit(.minutes(5)))
        func requestTransferAndWebhookHaveOneRequestAndOneTrace() async throws {
            let origin = try OriginServer { _ in OriginStep.answer(body: "content") }
            defer { origin.close() }
            let hook = try OriginServer { _ in OriginStep.answer("204 No Content") }
            defer { hook.close() }
            let field = "00-\(Self.trace)-b7ad6b7169203331-01"
            let settings = [
                "LULL_LOG_LEVEL": "debug", "LULL_LOG_FORMAT": "json", "LULL_TRACE_ORIGINS": "on",
            ]
            try await World.with(settings: settings) { world in
                let answer = try await Curl.send(
                    "POST", world.lull.base + "/v1/downloads",
                    json: """
                        {"url":"\(origin.url("/f"))","webhook_url":"\(hook.url("/hook"))"}
                        """, fields: ["traceparent: \(field)"])
                #expect(answer.status == 201, "\(answer.body)")
                let log = try await eventually("a webhook is in the log", attempts: 1200) {
                    let log = try world.scratch.read("lull.log")
                    return try lines("webhook delivered", log).isEmpty ? nil : log
                }
                let request = try #require(
                    try lines("http request", log).first {
                        $0["path"] as? String == "/v1/downloads"
                            && $0["http.request.method"] as? String == "POST"
                    })
                let id = try #require(request["request_id"] as? String)
                let transfer = try #require(try lines("attempt ended", log).first)
                let webhook = try #require(try lines("webhook delivered", log).first)
                for line in [request, transfer, webhook] {
                    #expect(line["request_id"] as? String == id, "\(line)")
                    #expect(line["trace_id"] as? String == Self.trace, "\(line)")
                }
                let download = try #require(transfer["download_id"] as? String)
                #expect(webhook["download_id"] as? String == download)
                #expect((webhook["delivery_id"] as? String)?.hasPrefix("whd_") == true)
                #expect(answer.body.contains(download))
                #expect(origin.requests.map { $0["traceparent"] } == [field])
                #expect(hook.requests.first?["traceparent"] == field)
            }
        }
    }
}
