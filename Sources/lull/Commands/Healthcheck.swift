// `lull healthcheck`: the health check of a container.
internal import Base
internal import Client
internal import HTTPServer

/// Asks the service on this machine whether it is ready.
enum Healthcheck {
    /// Asks the service that `LULL_SERVER` names, or the first address of `LULL_LISTEN`.
    ///
    /// - Parameters:
    ///   - configuration: the settings.
    ///   - server: the value of `LULL_SERVER`; nil if it is not set.
    /// - Throws: `CommandError` with the reason, from the service's answer where there is one.
    static func run(_ configuration: Configuration, server: String?) throws {
        try ask(configuration, server: server)
        print("ready")
    }

    /// Returns if the service is ready.
    ///
    /// - Throws: as `run`.
    static func ask(_ configuration: Configuration, server: String?) throws {
        let answer: (status: Int, body: [UInt8])
        let named = server.flatMap { $0.isEmpty ? nil : $0 }
        do throws(ClientFailure) {
            let server = try ServerAddress(named ?? address(configuration))
            answer = try HealthProbe.get("/readyz", at: server, within: .seconds(4))
        } catch {
            let listen = named ?? configuration.listen[0].description
            throw CommandError(
                error.wasReached
                    ? "not ready: \(error.description)"
                    : "not ready: no service can be reached at \(listen)")
        }
        guard answer.status != 200 else { return }
        throw CommandError("not ready: \(reason(answer.body) ?? "status \(answer.status)")")
    }

    /// The address by which this machine reaches the service of the settings.
    static func address(_ configuration: Configuration) -> String {
        configuration.listen[0].asSeenFromHere.description
    }

    /// Whether a service answers at an address.
    static func isAnswered(_ address: String) -> Bool {
        do throws(ClientFailure) {
            _ = try HealthProbe.get("/livez", at: try ServerAddress(address), within: .seconds(4))
            return true
        } catch {
            return false
        }
    }

    /// The `detail` of a problem document.
    private static func reason(_ body: [UInt8]) -> String? {
        do throws(JSONError) {
            return try JSON.parse(body)["detail"]?.stringValue
        } catch {
            return nil
        }
    }
}

extension ListenAddress {
    /// The address by which this machine reaches the service: loopback for an address that stands
    /// for all.
    fileprivate var asSeenFromHere: ListenAddress {
        guard case .internet(let host, let port) = self else { return self }
        let isAny = host.allSatisfy { $0 == "0" || $0 == "." || $0 == ":" }
        guard isAny else { return self }
        return .internet(host: host.contains(":") ? "::1" : "127.0.0.1", port: port)
    }
}
