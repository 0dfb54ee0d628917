// `lull healthcheck`: what a container asks.
internal import Core
internal import HTTPServer
internal import Transfers

/// Asks the service on this machine whether it is ready.
enum Healthcheck {
    static func run(_ configuration: Configuration) async -> Int32 {
        let addresses = configuration.listen.map(\.description).filter { !$0.hasPrefix("unix:") }
        guard let address = addresses.first else {
            complain("no address of LULL_LISTEN is on TCP: ask through the Unix socket")
            return 2
        }
        let port = address.split(separator: ":").last.map(String.init) ?? "8080"
        let isSix = address.hasPrefix("[") && !address.hasPrefix("[::]")
        let host = isSix ? "[::1]" : "127.0.0.1"
        do {
            let engine = try TransferEngine.open(
                TransferEngine.Configuration(
                    destinations: try Destinations.parse("loopback"),
                    userAgent: "lull-healthcheck/\(Version.text)"))
            var request = TransferRequest(
                url: try SourceURL(parsing: "http://\(host):\(port)/readyz"))
            request.totalTimeout = .seconds(4)
            request.followsRedirects = 0
            let result = await engine.run(request, id: TransferID(), into: .buffer(limit: 4096))
            await engine.close()
            if result.head?.status == 200 { return 0 }
            complain("not ready: \(String(decoding: result.buffer, as: UTF8.self))")
            return 1
        } catch {
            complain("\(error)")
            return 1
        }
    }
}
