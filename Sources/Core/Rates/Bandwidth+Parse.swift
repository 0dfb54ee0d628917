// Parses the policy's member `bandwidth`.

extension Bandwidth {
    private static let entriesAtMost = 256

    /// Reads a policy's `bandwidth`: a timetable for everything, or an object with `deployment`,
    /// `per_session` and `per_origin`.
    ///
    /// - Parameters:
    ///   - reader: of the policy; findings go there.
    ///   - standard: the deployment's timetable where the document has none.
    package init(reading reader: inout FieldReader, standard: Timetable?) {
        self.init(deployment: standard)
        guard let value = reader.value("bandwidth") else { return }
        switch value {
        case .string:
            deployment = Bandwidth.timetable("bandwidth", &reader)
        case .object(let object):
            var part = FieldReader(object, at: reader.pointer("bandwidth"))
            deployment = Bandwidth.timetable("deployment", &part) ?? standard
            sessions = Bandwidth.entries("per_session", &part) { name in
                SessionIdentifier.isValid(name) ? name : nil
            }
            origins = Bandwidth.entries("per_origin", &part) { name in
                Bandwidth.isHost(name) ? name.lowercased() : nil
            }
            reader.adopt(part.finish())
        default:
            reader.refuse(
                "bandwidth",
                "must be a timetable, for example \"08:00,10M 18:00,off\", or an object with "
                    + "deployment, per_session, per_origin")
        }
    }

    private static func timetable(_ key: String, _ reader: inout FieldReader) -> Timetable? {
        guard let text = reader.string(key, maximumLength: 8192) else { return nil }
        do throws(TimetableError) {
            return try Timetable(parsing: text)
        } catch {
            reader.refuse(key, error.description)
            return nil
        }
    }

    /// One timetable for each of them, or an object of timetables by name.
    private static func entries(
        _ key: String, _ reader: inout FieldReader, named name: (String) -> String?
    ) -> [Entry] {
        guard let value = reader.value(key) else { return [] }
        if case .string = value {
            return timetable(key, &reader).map { [Entry(name: "*", timetable: $0)] } ?? []
        }
        guard case .object(let object) = value, object.members.count <= entriesAtMost else {
            reader.refuse(
                key, "must be a timetable, or an object of at most \(entriesAtMost) timetables")
            return []
        }
        var part = FieldReader(object, at: reader.pointer(key))
        var entries: [Entry] = []
        for (member, value) in object.members {
            guard let name = member == "*" ? member : name(member) else {
                part.refuse(
                    member,
                    key == "per_session"
                        ? "is neither a session's identifier nor *"
                        : "is no host such as files.example.com, *.example.com, "
                            + "files.example.com:8443 or *")
                continue
            }
            guard value != .null, let timetable = timetable(member, &part) else {
                if value == .null { part.refuse(member, "must be a timetable") }
                continue
            }
            entries.append(Entry(name: name, timetable: timetable))
        }
        reader.adopt(part.errors)
        return entries
    }

    /// Whether a text may be the host of a URL, with or without `*.` before and a port behind.
    private static func isHost(_ text: String) -> Bool {
        let host = text.hasPrefix("*.") ? text.dropFirst(2) : text[...]
        guard (1...260).contains(host.utf8.count), host.first != "." else { return false }
        return host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-._:".utf8.contains(byte)
            }
        }
    }
}
