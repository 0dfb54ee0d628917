// Many downloads in one body: a JSON document, or a list of URLs.
internal import Core
internal import HTTPWire

/// The downloads of a batch as single documents, each with the pointer that a client understands.
struct BatchBody: Sendable {
    /// How many downloads a batch may have.
    static let downloadsAtMost = 1000

    /// The documents, each as a create of its own would have it.
    let downloads: [JSON]
    /// What is wrong with the defaults, also where no download takes them.
    let faultsOfDefaults: [FieldError]
    /// The names of the members that each download gave itself, not the defaults.
    private let own: [Set<String>]
    private let lines: [Int]

    /// Reads a body of either type.
    ///
    /// - Throws: as `Call.document`, and `validation-failed` for what is not a batch.
    init(_ call: Call) throws(Problem) {
        let session = call.query["session"]
        if let session, !SessionIdentifier.isValid(session) {
            throw .invalid("?session", SessionIdentifier.rule)
        }
        if MediaType.declared(call.request) == MediaType.uriList {
            try self.init(list: call.request.body, session: session)
        } else {
            try self.init(document: try call.document(), session: session)
        }
    }

    private init(document: JSON, session asked: String?) throws(Problem) {
        guard let object = document.objectValue else { throw .invalid("#", "must be an object") }
        var reader = FieldReader(object)
        let session = reader.string("session", maximumLength: 128) ?? asked
        var defaults = JSONObject()
        switch reader.value("defaults") {
        case .object(let object): defaults = object
        case nil: break
        default: reader.refuse("defaults", "must be an object")
        }
        var items: [JSON] = []
        if let list = reader.value("downloads")?.arrayValue,
            (1...BatchBody.downloadsAtMost).contains(list.count)
        {
            items = list
        } else {
            reader.refuse("downloads", "must be a list of 1 to \(BatchBody.downloadsAtMost)")
        }
        let errors = reader.finish()
        guard errors.isEmpty else { throw .invalid(errors) }
        if let session, defaults["session"] == nil { defaults["session"] = .string(session) }
        faultsOfDefaults = BatchBody.faults(defaults)
        downloads = items.map { BatchBody.merged($0, defaults) }
        own = items.map { Set($0.objectValue?.members.map(\.key) ?? []) }
        lines = []
    }

    private init(list bytes: [UInt8], session: String?) throws(Problem) {
        guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
            throw Problem(.malformedRequest, "The list of URLs is not UTF-8 text.")
        }
        var items: [JSON] = []
        var numbers: [Int] = []
        for (place, line) in bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
            .enumerated()
        {
            let text = line.last == 0x0d ? line.dropLast() : line
            let url = String(decoding: text, as: UTF8.self).trimmed
            guard !url.isEmpty, !url.hasPrefix("#") else { continue }
            var object: JSONObject = ["url": .string(url)]
            if let session { object["session"] = .string(session) }
            items.append(.object(object))
            numbers.append(place + 1)
        }
        guard (1...BatchBody.downloadsAtMost).contains(items.count) else {
            throw .invalid(
                "#", "must list 1 to \(BatchBody.downloadsAtMost) URLs, lists \(items.count)")
        }
        faultsOfDefaults = []
        downloads = items
        own = items.map { _ in ["url"] }
        lines = numbers
    }

    /// Where a download stands.
    func path(_ place: Int) -> String { "#/downloads/\(place)" }

    /// A finding as the client's body has it: what the defaults gave is to be changed there.
    func located(_ error: FieldError, _ place: Int) -> FieldError {
        let path = path(place)
        guard lines.isEmpty else {
            return FieldError(error.pointer, error.detail + " (line \(lines[place]))")
        }
        let member = error.pointer.dropFirst(path.utf8.count + 1).prefix { $0 != "/" }
        guard !member.isEmpty, downloads[place][String(member)] != nil,
            !own[place].contains(String(member))
        else { return error }
        return FieldError("#/defaults" + error.pointer.dropFirst(path.utf8.count), error.detail)
    }

    private static func faults(_ defaults: JSONObject) -> [FieldError] {
        var whole = defaults
        // What each download may add.
        if whole["url"] == nil { whole["url"] = "https://a.example/" }
        if whole["expected_digest"] == nil {
            whole["expected_digest"] = .string("md5:" + String(repeating: "0", count: 32))
        }
        switch DownloadRequest.parse(.object(whole), at: "#/defaults") {
        case .success: return []
        case .failure(let faults): return faults.list
        }
    }

    private static func merged(_ item: JSON, _ defaults: JSONObject) -> JSON {
        guard var object = item.objectValue else { return item }
        let names = Set(object.members.map(\.key))
        for (key, value) in defaults.members where !names.contains(key) {
            object.append(key, value)
        }
        return .object(object)
    }
}
