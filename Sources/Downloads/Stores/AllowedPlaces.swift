// The folders and object stores into which finished files may go: `name=/folder` or
// `name@app=/folder`, with `;copy` behind it for copies in place of second names, or
// `name=s3://bucket/prefix?endpoint=…`.
internal import Base

/// The operator's list of places for finished files, `LULL_DESTINATIONS`.
package struct AllowedPlaces: Sendable, Equatable {
    /// A folder of this machine.
    package struct Folder: Sendable, Equatable {
        /// An absolute path.
        package let path: String
        /// Whether files are always copied into it, also where a second name (a hard link) is
        /// possible.
        package let copies: Bool
    }

    /// The kinds of places.
    package enum Kind: Sendable, Equatable {
        /// A folder.
        case folder(Folder)
        /// A prefix in a bucket.
        case store(StoreLocation)
    }

    /// One place.
    package struct Place: Sendable, Equatable {
        /// The name that downloads use for the place.
        package let name: String
        /// The only app that may use it; nil for all.
        package let app: String?
        /// The place.
        package let kind: Kind

        /// The folder; nil for a store.
        package var folder: Folder? {
            if case .folder(let folder) = kind { folder } else { nil }
        }

        /// The bucket; nil for a folder.
        package var store: StoreLocation? {
            if case .store(let location) = kind { location } else { nil }
        }

        /// Whether the place has this name, and belongs to this app or, where it is nil, to all
        /// apps.
        fileprivate func isOf(_ name: String, app: String?) -> Bool {
            KeyText.areEqual(self.name, name)
                && self.app.map { KeyText($0) } == app.map { KeyText($0) }
        }
    }

    /// An error in a list of places, described in one sentence.
    package struct ParseError: Error, Equatable, CustomStringConvertible {
        /// The sentence.
        package let description: String
    }

    /// The places, as they were listed.
    package let list: [Place]

    /// A list without places.
    package static let none = AllowedPlaces(list: [])

    private init(list: [Place]) { self.list = list }

    /// Reads a list with commas between its places.
    ///
    /// - Throws: what is wrong, one sentence.
    package static func parse(_ text: String) throws(ParseError) -> AllowedPlaces {
        var list: [Place] = []
        for text in text.split(separator: ",", omittingEmptySubsequences: false) {
            let entry = try entry(text)
            let isKnown = list.contains { $0.isOf(entry.name, app: entry.app) }
            guard !isKnown else {
                let name = entry.name + (entry.app.map { "@" + $0 } ?? "")
                throw ParseError(description: "\(name) is given more than once")
            }
            list.append(entry)
        }
        return AllowedPlaces(list: list)
    }

    private static func entry(_ text: Substring) throws(ParseError) -> Place {
        guard let mark = text.firstIndex(of: "=") else {
            throw ParseError(
                description: "must be name=/folder or name@app=/folder, or a bucket in place of "
                    + "the folder: name=s3://bucket/prefix?endpoint=https://host")
        }
        let names = text[..<mark].split(
            separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(names[0])
        guard isName(name) else {
            throw ParseError(
                description: "a name has 1 to 64 letters, digits, dots, dashes or underscores")
        }
        let app = names.count > 1 ? String(names[1]) : nil
        guard app != "" else {
            throw ParseError(description: "the app behind @ of \(name) must have a name")
        }
        let place = text[text.index(after: mark)...]
        guard place.hasPrefix(StoreLocation.scheme) else {
            return Place(name: name, app: app, kind: .folder(try folder(place, of: name)))
        }
        do throws(StoreLocation.ParseError) {
            return Place(name: name, app: app, kind: .store(try StoreLocation(parsing: place)))
        } catch {
            throw ParseError(description: "the store \(name): \(error)")
        }
    }

    private static func folder(
        _ text: Substring, of name: String
    ) throws(ParseError) -> Folder {
        let parts = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0].utf8.first == UInt8(ascii: "/") else {
            throw ParseError(description: "the folder of \(name) must be an absolute path")
        }
        guard parts.count == 1 || parts[1] == "copy" else {
            throw ParseError(
                description: "only copy may follow the folder of \(name) and a semicolon")
        }
        return Folder(path: String(parts[0]), copies: parts.count > 1)
    }

    /// The place that a name means for an app: its own one comes before the one for all apps.
    package func find(_ name: String, app: String) -> Place? {
        list.first { $0.isOf(name, app: app) } ?? list.first { $0.isOf(name, app: nil) }
    }

    /// Whether an accepted destination still names the place that it named then: a folder, or a
    /// store at the endpoint of then.
    package func takes(_ destination: FileDestination, app: String) -> Bool {
        guard let entry = find(destination.name, app: app) else { return false }
        return entry.store?.endpoint.origin == destination.store
    }

    /// Whether a name means one place for every app.
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
