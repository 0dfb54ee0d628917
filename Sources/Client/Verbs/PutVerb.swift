// `lull put`: a file of this machine, sent by the service.
internal import Base
internal import Crypto
internal import Platform

/// Creates an upload, brings the bytes of a file to the service, and follows the sending.
///
/// The name of the upload follows from file and place, so that the same command goes on with an
/// upload that was not finished.
struct PutVerb {
    /// The most uploads of one file to one place that are looked through for an open one.
    private static let namesAtMost = 100

    let context: ClientContext

    func run() throws(ClientFailure) -> ExitStatus {
        let arguments = context.arguments
        let (path, place) = (arguments.operands[0], arguments.operands[1])
        let deadline = try context.deadline()
        let file = try LocalFile(path)
        var members = try DownloadOptions(arguments: arguments, clock: context.clock)
            .members(to: place)
        members["length"] = .integer(file.length)
        if members["filename"] == nil { members["filename"] = .string(file.name) }
        if members["expected_digest"] == nil, !arguments.has("--no-checksum") {
            members["expected_digest"] = .string("sha256:" + (try digest(of: file)))
        }
        let document = try created(members, file, place)
        guard let view = DownloadView(document) else {
            throw ClientFailure("the program that answers there is not Lull", .notReached)
        }
        do throws(ClientFailure) {
            return try bring(view.id, document, file, until: deadline)
        } catch {
            guard error.status == .interrupted else { throw error }
            context.terminal.note(
                "\(view.id) stays at the service: the same command goes on with it, lull cancel "
                    + "\(view.id) gives it up")
            throw error
        }
    }

    private func digest(of file: LocalFile) throws(ClientFailure) -> String {
        let meter = RateMeter(0)
        var shown = SystemClock.bootNanoseconds()
        let digest = try file.digest { place in
            guard SystemClock.bootNanoseconds() - shown >= 500_000_000 else { return }
            shown = SystemClock.bootNanoseconds()
            draw("reading \(file.name)", place, of: file, meter)
        }
        context.terminal.clearProgress()
        return digest
    }

    // MARK: - The upload

    /// The document of the upload: a new one, or one that was not finished.
    private func created(
        _ members: JSONObject, _ file: LocalFile, _ place: String
    ) throws(ClientFailure) -> JSON {
        guard members["external_id"] == nil else {
            return try context.post("/v1/uploads", body: .object(members)).json()
        }
        var members = members
        let name = PutVerb.name(of: file, to: place)
        for number in 1...PutVerb.namesAtMost {
            members["external_id"] = .string(number == 1 ? name : "\(name)-\(number)")
            let reply = try context.post("/v1/uploads", body: .object(members))
            let document = try reply.json()
            guard let view = DownloadView(document), view.hasEnded, reply.status == 200 else {
                if reply.status == 200, let view = DownloadView(document) {
                    context.terminal.note("\(view.id) is there already, and goes on")
                }
                return document
            }
        }
        throw .usage(
            "this file was sent there \(PutVerb.namesAtMost) times: delete some uploads with lull "
                + "rm, or give another --external-id")
    }

    /// The `external_id` of the upload of a file to a place.
    static func name(of file: LocalFile, to place: String) -> String {
        let text = "\(file.path)\n\(file.length)\n\(file.modified)\n\(place)"
        return "put-" + Hex.encode(Array(SHA256.digest(of: text).prefix(16)))
    }

    private func bring(
        _ id: String, _ document: JSON, _ file: LocalFile, until deadline: Int64?
    ) throws(ClientFailure) -> ExitStatus {
        if document["content"]?["state"] == "receiving" {
            guard let href = document["content"]?["href"]?.stringValue, href.hasPrefix("/v1/")
            else { throw ClientFailure("the program that answers there is not Lull", .notReached) }
            let staging = ContentStaging(context: context, id: id, file: file, path: href)
            guard try staging.run(until: deadline) else { return timeOver(id) }
        }
        if context.arguments.has("--no-wait") {
            if context.isJSON {
                try context.say(try context.get(ClientContext.path(id)))
            } else {
                try context.terminal.say(id)
            }
            return .done
        }
        let follower = DownloadFollower(context, [id], printsEvents: false)
        guard let view = try follower.run(until: deadline)?.first else { return timeOver(id) }
        if view.state == "attention_required" {
            context.terminal.note("change it with lull edit \(id), then lull resume \(id)")
        }
        if context.isJSON, let document = follower.document(id) { try context.say(document) }
        if !context.isJSON, view.state == "succeeded" { try context.terminal.say(id) }
        return ExitStatus(ofState: view.state) ?? .failed
    }

    private func timeOver(_ id: String) -> ExitStatus {
        context.terminal.note(
            "\(id) did not end in time and stays at the service: lull watch \(id)")
        return .timeOver
    }

    private func draw(_ name: String, _ place: Int64, of file: LocalFile, _ meter: RateMeter) {
        guard !context.isJSON else { return }
        context.terminal.draw { columns in
            let bar = ProgressBar(
                name: name, received: place, expected: file.length, rate: meter.rate(place))
            return [bar.line(columns: columns)]
        }
    }
}
