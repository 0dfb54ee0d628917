// Parses the policy's member `bandwidth`.
package import Base
internal import Downloads

extension Bandwidth {
    /// Reads a policy's `bandwidth`, whose shape is right: a timetable for everything, or an object
    /// of several.
    ///
    /// - Parameters:
    ///   - value: the member; nil where there is none.
    ///   - standard: the deployment's timetable where the document has none.
    package init(_ value: JSON?, standard: Timetable?) {
        self.init(deployment: Bandwidth.timetable(value) ?? standard)
        guard let object = value?.objectValue else { return }
        deployment = Bandwidth.timetable(object["deployment"]) ?? standard
        sessions = PatternTable(names: Bandwidth.entries(object["per_session"]))
        origins = PatternTable(origins: Bandwidth.entries(object["per_origin"]))
        apps = PatternTable(names: Bandwidth.entries(object["per_app"]))
        for (word, timetable) in Bandwidth.entries(object["per_class"]) {
            if let value = SchedulingClass(word: word) { classes[value] = timetable }
        }
    }

    private static func timetable(_ value: JSON?) -> Timetable? {
        guard let text = value?.stringValue else { return nil }
        do throws(TimetableError) {
            return try Timetable(parsing: text)
        } catch {
            return nil
        }
    }

    /// The entries of an object of timetables by name.
    private static func entries(_ value: JSON?) -> [(String, Timetable)] {
        if let timetable = timetable(value) { return [("*", timetable)] }
        return (value?.objectValue?.members ?? []).compactMap { name, value in
            timetable(value).map { (name, $0) }
        }
    }

    /// Whether a text may name the host of a URL, with or without `*.` before it and a port behind
    /// it.
    static func isHost(_ text: String) -> Bool {
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
