// The context of a command of the client: the service, the terminal, the clock.
internal import Base
internal import Crypto
internal import Platform

/// A command of the client while it runs.
final class ClientContext {
    /// The arguments of the command.
    let arguments: Arguments
    /// The terminal for results and messages.
    let terminal: Terminal
    /// The connection to the service.
    let transport: HTTPTransport
    private let zone: TimeZoneRules

    /// Reads the settings; sends no request.
    ///
    /// - Throws: `ClientFailure` for settings that cannot be used.
    init(_ arguments: Arguments, environment: [String: String]) throws(ClientFailure) {
        self.arguments = arguments
        terminal = Terminal(environment)
        zone = try LocalZone.rules(environment)
        transport = try HTTPTransport(try ClientSettings(arguments, environment: environment))
    }

    /// Whether the service's JSON documents are printed instead of texts for people.
    var isJSON: Bool { arguments.has("--json") }

    /// The clock that parses and formats instants.
    var clock: InstantText { InstantText(now: now, zone: zone) }

    /// The machine's wall clock.
    var now: Timestamp { Timestamp(microseconds: SystemClock.wallMicroseconds()) }

    /// The end of the time of `--timeout`, by `SystemClock.bootNanoseconds`; nil without that
    /// option.
    func deadline() throws(ClientFailure) -> Int64? {
        guard let text = arguments["--timeout"].last else { return nil }
        do throws(QuantityError) {
            let span = try DurationText.parse(text)
            return SystemClock.bootNanoseconds() + span.wholeMicroseconds * 1000
        } catch {
            throw .usage("--timeout: \(error)")
        }
    }

    /// Gets the document at a path.
    func get(
        _ path: String, query: [(name: String, value: String)] = []
    ) throws(ClientFailure) -> JSON {
        var request = Request("GET", path)
        request.query = query
        request.timeout = .seconds(60)
        return try transport.send(request).json()
    }

    /// Sends a change, and returns the answer; null for one without a body.
    func change(
        _ method: String, _ path: String, body: JSON? = nil,
        query: [(name: String, value: String)] = [], match: String? = nil
    ) throws(ClientFailure) -> JSON {
        var request = Request(method, path, body: body)
        request.query = query
        request.timeout = .seconds(60)
        if let match { request.headers.append((name: "If-Match", value: match)) }
        let reply = try transport.send(request)
        return reply.body.isEmpty ? .null : try reply.json()
    }

    /// Sends a POST that takes effect once: after a lost answer it is repeated with its idempotency
    /// key.
    func post(
        _ path: String, body: JSON?, query: [(name: String, value: String)] = []
    ) throws(ClientFailure) -> Reply {
        var request = Request("POST", path, body: body)
        request.query = query
        request.timeout = .seconds(60)
        let key = Hex.encode(SecureRandom.bytes(16))
        request.headers.append((name: "Idempotency-Key", value: key))
        var tries = 0
        while true {
            do throws(ClientFailure) {
                return try transport.send(request)
            } catch {
                tries += 1
                // A service that never answered is not tried again: its address may be wrong.
                let mayAnswer = error.wasReached || tries > 1
                guard error.isTransient, mayAnswer, tries < 5 else { throw error }
                try transport.pause(error.retryAfter ?? .seconds(1 << tries))
            }
        }
    }

    /// Prints a JSON document in one line.
    func say(_ document: JSON) throws(ClientFailure) { try terminal.say(document.text) }

    /// The path of a download or an upload, or of a resource below it.
    static func path(_ id: String, _ part: String = "") -> String {
        let list = isUpload(id) ? "/v1/uploads/" : "/v1/downloads/"
        return list + Request.encoded(id) + part
    }

    /// Whether an identifier is that of an upload.
    static func isUpload(_ id: String) -> Bool { id.hasPrefix("up_") }
}
