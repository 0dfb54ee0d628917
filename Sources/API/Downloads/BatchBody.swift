// Many downloads in one body: a JSON document, or a list of URLs.
internal import Base
internal import Downloads
internal import HTTPWire

/// The downloads of a batch, each with the defaults of the batch.
struct BatchBody: Sendable {
    /// The most downloads of a batch.
    static let downloadsAtMost = 1000
    /// The most bytes that the downloads may take from the defaults in all: as many as a body
    /// without defaults could have.
    static let inheritedBytesAtMost = 4 << 20
    /// The most members of the defaults, more than a download has.
    private static let defaultsAtMost = 64

    /// The items of the list.
    let items: [JSON]
    /// The errors of the defaults, also if no download uses them.
    let faultsOfDefaults: FieldErrors
    /// The defaults, and beneath them the session for downloads that name none.
    private let layers: [LayeredObject.Layer]
    /// The lines of the items in a list of URLs.
    private let lines: [Int]

    /// Reads a body of either type.
    ///
    /// - Throws: as `Call.document`, and `validation-failed` for what is not a batch.
    init(_ call: Call) throws(Problem) {
        let session = call.query["session"]
        if let session, !SessionIdentifier.isValid(session) {
            throw .invalid("?session", SessionIdentifier.rule)
        }
        let asked = session.map {
            LayeredObject.Layer(["session": .string($0)], prefix: "?")
        }
        if MediaType.declared(call.request) == MediaType.uriList {
            try self.init(list: call.request.body, session: asked)
        } else {
            try self.init(document: try call.document(), session: asked)
        }
    }

    private init(document: JSON, session asked: LayeredObject.Layer?) throws(Problem) {
        guard let object = document.objectValue else { throw .invalid("#", "must be an object") }
        var reader = FieldReader(object)
        let session = reader.string("session", maximumLength: 128)
        if let session, !SessionIdentifier.isValid(session) {
            reader.refuse("session", SessionIdentifier.rule)
        }
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
        let layer = LayeredObject.Layer(defaults, at: "#/defaults")
        faultsOfDefaults = BatchBody.faults(layer)
        // With so many members some are unknown, so the items are not judged with them.
        if defaults.count > BatchBody.defaultsAtMost { throw .invalid(faultsOfDefaults) }
        try BatchBody.expectBounded(items, defaults)
        let own = session.map { LayeredObject.Layer(["session": .string($0)], at: "#") }
        layers = [layer] + [own ?? asked].compactMap(\.self)
        self.items = items
        lines = []
    }

    private init(list bytes: [UInt8], session: LayeredObject.Layer?) throws(Problem) {
        var items: [JSON] = []
        var numbers: [Int] = []
        var count = 0
        var number = 0
        var start = 0
        while start <= bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0a) ?? bytes.count
            guard let line = String(validating: bytes[start..<end], as: UTF8.self),
                !line.utf8.contains(0)
            else { throw Problem(.malformedRequest, "The list of URLs is not UTF-8 text.") }
            start = end + 1
            number += 1
            let url = line.withoutSpaceAround
            guard let first = url.utf8.first, first != UInt8(ascii: "#") else { continue }
            count += 1
            guard count <= BatchBody.downloadsAtMost else { continue }
            items.append(["url": .string(url)])
            numbers.append(number)
        }
        guard (1...BatchBody.downloadsAtMost).contains(count) else {
            throw .invalid(
                "#", "must list 1 to \(BatchBody.downloadsAtMost) URLs, but lists \(count)")
        }
        faultsOfDefaults = []
        layers = [session].compactMap(\.self)
        self.items = items
        lines = numbers
    }

    /// The pointer to a download.
    func path(_ place: Int) -> String { "#/downloads/\(place)" }

    /// A download with the defaults beneath it.
    ///
    /// - Throws: `validation-failed` for an item that is no object.
    func download(_ place: Int) throws(Problem) -> LayeredObject {
        guard let object = items[place].objectValue else {
            throw .invalid(path(place), "must be an object")
        }
        return LayeredObject(LayeredObject.Layer(object, at: path(place)), over: layers)
    }

    /// An error in the form for the client's body: in a list of URLs it names the line.
    func located(_ error: FieldError, _ place: Int) -> FieldError {
        guard !lines.isEmpty, isOwn(error) else { return error }
        return FieldError(error.pointer, error.detail + " (line \(lines[place]))")
    }

    /// Whether an error concerns the item itself, and not values that several share.
    func isOwn(_ error: FieldError) -> Bool {
        error.pointer.utf8.starts(with: "#/downloads/".utf8)
    }

    /// The errors of the defaults, found with a download that has every required member.
    private static func faults(_ defaults: LayeredObject.Layer) -> FieldErrors {
        let added: JSONObject = [
            "url": "https://a.example/",
            "expected_digest": .string("md5:" + String(repeating: "0", count: 32)),
        ]
        let whole = LayeredObject(
            defaults, over: [LayeredObject.Layer(added, at: "#/defaults")])
        switch DownloadRequest.parse(whole) {
        case .success: return []
        case .failure(let faults): return faults
        }
    }

    /// Refuses defaults that would multiply the size of a small body.
    private static func expectBounded(_ items: [JSON], _ defaults: JSONObject) throws(Problem) {
        let sizes = defaults.members.map {
            (key: $0.key, bytes: $0.key.utf8.count + $0.value.serialized().count)
        }
        var sum = 0
        for case .object(let object) in items {
            let own = LayeredObject.Layer(object, at: "#")
            for member in sizes where !own.has(member.key) { sum += member.bytes }
            guard sum <= inheritedBytesAtMost else {
                throw .invalid(
                    "#/defaults",
                    "would take more than \(inheritedBytesAtMost) bytes in all, because each "
                        + "download gets a copy; send fewer downloads at once")
            }
        }
    }
}

extension String {
    /// The text without spaces, tabs and the carriage return of a line end at both ends.
    fileprivate var withoutSpaceAround: String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }
        guard let start = utf8.firstIndex(where: { !isSpace($0) }),
            let end = utf8.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(self[start...end])
    }
}
