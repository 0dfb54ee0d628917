// The folders into which finished files may be placed: `name=/folder` or `name@app=/folder`, with
// `;copy` behind it for copies in place of second names.
internal import Base

/// The operator's list of folders.
package struct AllowedFolders: Sendable, Equatable {
    /// One folder.
    package struct Folder: Sendable, Equatable {
        /// The name that downloads use for the folder.
        package let name: String
        /// The only app that may use it; nil for all.
        package let app: String?
        /// The folder, an absolute path.
        package let path: String
        /// Whether files are always copied into it, also where a second name (a hard link) is
        /// possible.
        package let copies: Bool

        /// Whether the folder has this name, and belongs to this app or, where it is nil, to all
        /// apps.
        fileprivate func isOf(_ name: String, app: String?) -> Bool {
            KeyText.areEqual(self.name, name)
                && self.app.map { KeyText($0) } == app.map { KeyText($0) }
        }
    }

    /// An error in a list of folders, described in one sentence.
    package struct ParseError: Error, Equatable, CustomStringConvertible {
        /// The sentence.
        package let description: String
    }

    /// The folders, as they were listed.
    package let list: [Folder]

    /// A list without folders.
    package static let none = AllowedFolders(list: [])

    private init(list: [Folder]) { self.list = list }

    /// Reads a list with commas between its folders.
    ///
    /// - Throws: what is wrong, one sentence.
    package static func parse(_ text: String) throws(ParseError) -> AllowedFolders {
        var list: [Folder] = []
        for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let mark = entry.firstIndex(of: "=") else {
                throw ParseError(description: "must be name=/folder or name@app=/folder")
            }
            let parts = entry[entry.index(after: mark)...].split(
                separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            let path = String(parts[0])
            let names = entry[..<mark].split(
                separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(names[0])
            guard isName(name) else {
                throw ParseError(
                    description: "a name has 1 to 64 letters, digits, dots, dashes or underscores")
            }
            guard path.utf8.first == UInt8(ascii: "/") else {
                throw ParseError(description: "the folder of \(name) must be an absolute path")
            }
            guard parts.count == 1 || parts[1] == "copy" else {
                throw ParseError(
                    description: "only copy may follow the folder of \(name) and a semicolon")
            }
            let app = names.count > 1 ? String(names[1]) : nil
            guard app != "" else {
                throw ParseError(description: "the app behind @ of \(name) must have a name")
            }
            guard !list.contains(where: { $0.isOf(name, app: app) }) else {
                throw ParseError(description: "\(entry[..<mark]) is given more than once")
            }
            list.append(Folder(name: name, app: app, path: path, copies: parts.count > 1))
        }
        return AllowedFolders(list: list)
    }

    /// The folder that a name means for an app: its own one comes before the one for all apps.
    package func find(_ name: String, app: String) -> Folder? {
        list.first { $0.isOf(name, app: app) } ?? list.first { $0.isOf(name, app: nil) }
    }

    /// Whether a name means one folder for every app.
    package func isAlikeForAllApps(_ name: String) -> Bool {
        !list.contains { KeyText.areEqual($0.name, name) && $0.app != nil }
    }

    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: ".-_".utf8.contains(byte)
                }
            }
    }
}
