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
        zoneName = LocalZone.name(environment)
        transport = try HTTPTransport(try ClientSettings(arguments, environment: environment))
        transport.words = PlaceWords(arguments.command)
    }

    /// The name of the time zone of this machine; nil if it has none.
    let zoneName: String?

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

    /// Gets the pages of a list, one after the other, until there is no more or enough.
    ///
    /// A page may have fewer entries than were asked for, or none, before the last page.
    ///
    /// - Parameters:
    ///   - path: the path of the list.
    ///   - query: its parameters, without cursor and limit.
    ///   - most: the most entries that are wanted; nil for all.
    ///   - atOnce: the most entries of a page.
    ///   - take: takes an entry.
    /// - Returns: whether further entries may follow.
    /// - Throws: `ClientFailure` where a page is not given, and what `take` throws.
    func list(
        _ path: String, query: [(name: String, value: String)] = [], most: Int? = nil,
        atOnce: Int = 200, _ take: (JSON) throws(ClientFailure) -> Void
    ) throws(ClientFailure) -> Bool {
        var (cursor, count): (String?, Int) = (nil, 0)
        while true {
            let limit = min(atOnce, (most ?? .max) - count)
            var asked = query + [(name: "limit", value: "\(limit)")]
            if let cursor { asked.append(("cursor", cursor)) }
            let page = try get(path, query: asked)
            for entry in page["data"]?.arrayValue ?? page["downloads"]?.arrayValue ?? [] {
                try take(entry)
                count += 1
            }
            guard let next = page["next_cursor"]?.stringValue else { return false }
            guard next != cursor else { throw ClientContext.repeatedPage }
            cursor = next
            if let most, count >= most { return true }
        }
    }

    /// The failure of a list that does not end.
    static let repeatedPage = ClientFailure(
        "the service gives one page of the list again and again")

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

    /// Gets the document at a path; nil if there is none.
    func ifPresent(_ path: String) throws(ClientFailure) -> JSON? {
        do throws(ClientFailure) {
            return try get(path)
        } catch {
            guard error.isAbsent else { throw error }
            return nil
        }
    }

    /// The number of files that are fetched at once: `--jobs`, from 1 to 64.
    func jobs(_ usual: Int) throws(ClientFailure) -> Int {
        guard let text = arguments["--jobs"].last else { return usual }
        guard let number = Int(text), (1...64).contains(number) else {
            throw .usage("--jobs needs a whole number, 1 to 64")
        }
        return number
    }

    /// Whether content that was brought here is released at the service: what the command has
    /// created, unless an option says otherwise.
    ///
    /// - Parameter operand: the operand that named the download.
    /// - Returns: whether it is released.
    func releases(_ operand: String) -> Bool {
        if arguments.has("--release") { return true }
        // A file that is sent to a place stays there.
        if arguments.has("--keep") || arguments.has("--to") { return false }
        return !ClientContext.isDownload(operand)
    }

    /// Releases the content on the service once it is here; if that fails, it expires there.
    func release(_ id: String) {
        do throws(ClientFailure) {
            _ = try change("DELETE", ClientContext.path(id, "/content"))
        } catch {
            terminal.note(
                "the content is still at the service, because it could not be released: \(error)")
        }
    }

    /// Prints a JSON document in one line.
    func say(_ document: JSON) throws(ClientFailure) { try terminal.say(document.text) }

    /// The path of a download or an upload, or of a resource below it.
    static func path(_ id: String, _ part: String = "") -> String {
        let list = isUpload(id) ? "/v1/uploads/" : "/v1/downloads/"
        return list + Request.encoded(id) + part
    }

    /// Whether a word is the identifier of a download or an upload, and no URL.
    static func isDownload(_ word: String) -> Bool {
        (word.hasPrefix("dl_") || word.hasPrefix("up_"))
            && !word.contains("/") && !word.contains(":")
    }

    /// Whether an identifier is that of an upload.
    static func isUpload(_ id: String) -> Bool { id.hasPrefix("up_") }
}

extension JSON {
    /// The modification time that the origin of a download reported; nil for none, and for one in
    /// the future.
    func lastModified(now: Timestamp) -> Timestamp? {
        guard let text = self["response"]?["last_modified"]?.stringValue,
            let modified = Timestamp(httpDate: text, now: now), modified <= now
        else { return nil }
        return modified
    }
}
