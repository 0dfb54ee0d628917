// Files placed into folders of the operator: by a second name or by a copy, never outside.
import Downloads
import Foundation
import Platform
import Synchronization
import Testing

@testable import Content

/// A folder on the volume of the data directory, or on another, beside files that must not change.
// Safe because a test uses its field from one task.
private final class Field: @unchecked Sendable {
    let place: TemporaryDirectory
    let store: ContentStore
    /// The place of the folder and of the files outside of it.
    let base: String
    let folder: PlacingFolder
    private var fence: Int64 = 0

    var inside: String { base + "/in" }
    var outside: String { base + "/out" }

    init(isOther: Bool, step: @escaping @Sendable () -> Void = {}) throws {
        place = try TemporaryDirectory()
        store = try place.store()
        base = isOther ? "/dev/shm/lull-place-\(UUID().uuidString)" : place.path + "/place"
        let files = FileManager.default
        for path in ["/in", "/out"] {
            try files.createDirectory(atPath: base + path, withIntermediateDirectories: true)
        }
        try Data("canary".utf8).write(to: URL(fileURLWithPath: base + "/out/canary"))
        folder = try PlacingFolder(opening: base + "/in", step: step)
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: base)
        } catch {
            Issue.record("\(base): \(error)")
        }
    }

    /// A whole file that is not published.
    func part(_ bytes: [UInt8]) throws -> PartFile {
        fence += 1
        let part = try store.create(name("dl_0", fence))
        try part.write(bytes, at: 0)
        return part
    }

    func put(
        _ bytes: [UInt8], _ path: String, _ rule: FileConflict = .fail, isRepeated: Bool = false,
        reserve: Int64 = 0, url: String = "https://files.example/a", isNamed: Bool = true
    ) throws(ContentError) -> PlacingFolder.Outcome {
        let part: PartFile
        do { part = try self.part(bytes) } catch { preconditionFailure("\(error)") }
        return try folder.place(
            part,
            PlacingFolder.PlacementRequest(
                path: path, onConflict: rule, url: url, isNamedByClient: isNamed,
                isRepeated: isRepeated, length: Int64(bytes.count), reserve: { _ in reserve }))
    }

    func bytes(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: inside + "/" + path).map { [UInt8]($0) }
    }

    /// Every file below the folder, except those that are being prepared.
    func names() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: inside).sorted()
            .filter { $0 != ".lull" }
    }

    func write(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: inside + "/" + path))
    }

    /// All files below the folder, with those that are being prepared.
    func files() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: inside) {
            files[name] = bytes(name)
        }
        return files
    }

    /// Makes files, and the folders above them.
    func restore(_ files: [String: [UInt8]]) throws {
        for (name, bytes) in files {
            let file = URL(fileURLWithPath: inside + "/" + name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file)
        }
    }

    /// Expects that the files outside of the folder have not changed.
    func expectOutsideUntouched(_ comment: String = "") throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: outside)
        #expect(names == ["canary"], "\(comment): \(names)")
        #expect(
            FileManager.default.contents(atPath: outside + "/canary") == Data("canary".utf8),
            "\(comment)")
    }
}

@Suite struct PlacingFolderTests {
    @Test(arguments: [false, true])
    func placesTheWholeFileAndMakesFolders(isOther: Bool) throws {
        let field = try Field(isOther: isOther)
        let bytes = (0..<700_001).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let part = try field.part(bytes)
        let request = PlacingFolder.PlacementRequest(
            path: "a/b/c.iso", onConflict: .fail, url: "https://a/", isNamedByClient: true,
            isRepeated: false, length: Int64(bytes.count),
            reserve: { _ in 0 })
        #expect(try field.folder.place(part, request) == .placed(path: "a/b/c.iso"))
        #expect(field.bytes("a/b/c.iso") == bytes)
        let files = FileManager.default
        func mode(_ path: String) throws -> Int? {
            try files.attributesOfItem(atPath: field.inside + "/" + path)[.posixPermissions]
                as? Int
        }
        #expect(try mode("a/b/c.iso") == 0o644)
        #expect(try mode("a") == 0o755 && mode("a/b") == 0o755)
        // The service's own name follows, and is removed without the other.
        let published = try field.store.publish([
            CompletedPart(part: part, length: Int64(bytes.count))
        ])[0].get()
        try field.store.delete(published.name)
        #expect(field.bytes("a/b/c.iso") == bytes)
        #expect(try field.names() == ["a", "a/b", "a/b/c.iso"])
        let empty = try field.put([], "empty")
        #expect(empty == .placed(path: "empty") && field.bytes("empty") == [])
    }

    /// With copies, an edit of the placed file does not change the service's own file.
    @Test(arguments: [false, true], [false, true])
    func copiesAreFilesOfTheirOwn(isOther: Bool, copies: Bool) throws {
        let field = try Field(isOther: isOther)
        let bytes = [UInt8](repeating: 7, count: 300_000)
        let part = try field.part(bytes)
        let request = PlacingFolder.PlacementRequest(
            path: "a", onConflict: .fail, url: "https://a/", isNamedByClient: true,
            isRepeated: false, copies: copies,
            length: Int64(bytes.count), reserve: { _ in 0 })
        #expect(try field.folder.place(part, request) == .placed(path: "a"))
        #expect(field.bytes("a") == bytes)
        #expect(try field.names().filter { $0 != ".lull" } == ["a"])
        let other = try FileHandle(forUpdating: URL(fileURLWithPath: field.inside + "/a"))
        try other.write(contentsOf: [8])
        try other.close()
        var own: [UInt8] = []
        try unsafe part.readBack(length: 1) { unsafe own += $0 }
        #expect(own == [copies || isOther ? 7 : 8])
    }

    /// A write right after a name exists differs from the state that was noted before.
    @Test func aWriteRightAfterTheNameIsSeen() throws {
        let field = try Field(isOther: false)
        for number in 0..<50 {
            let part = try field.part([1, 2, 3])
            let facts = try part.settledFacts()
            #expect(facts.length == 3 && facts.modified % 1_000_000_000 == 0)
            let request = PlacingFolder.PlacementRequest(
                path: "\(number)", onConflict: .fail, url: "https://a/", isNamedByClient: true,
                isRepeated: false, length: 3,
                reserve: { _ in 0 })
            #expect(try field.folder.place(part, request) == .placed(path: "\(number)"))
            let published = try field.store.publish([CompletedPart(part: part, length: 3)])[0].get()
            func now() throws -> FileFacts? {
                let open = try field.store.openForReading(published.name)
                return FileFacts(ofOpenFile: open.descriptor.rawValue)
            }
            #expect(try now() == facts)
            let path = field.inside + "/\(number)"
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            try file.write(contentsOf: [4])
            try file.close()
            #expect(try now() != facts)
        }
    }

    private struct Case {
        var rule: FileConflict
        var there: String
        var isRepeated = false
        var outcome: PlacingFolder.Outcome
        var files: [String: String]
    }

    @Test(arguments: [false, true])
    func aNameThatIsTakenFollowsTheRule(isOther: Bool) throws {
        let taken = PlacingFolder.Outcome.taken(path: "f.x")
        let placed = PlacingFolder.Outcome.placed(path: "f.x")
        let cases = [
            Case(rule: .fail, there: "old", outcome: taken, files: ["f.x": "old"]),
            Case(rule: .fail, there: "new", outcome: taken, files: ["f.x": "new"]),
            Case(
                rule: .fail, there: "new", isRepeated: true, outcome: placed,
                files: ["f.x": "new"]),
            Case(
                rule: .fail, there: "old", isRepeated: true, outcome: taken, files: ["f.x": "old"]),
            Case(
                rule: .rename, there: "old", outcome: .placed(path: "f (1).x"),
                files: ["f.x": "old", "f (1).x": "new"]),
            Case(
                rule: .rename, there: "new", outcome: .placed(path: "f (1).x"),
                files: ["f.x": "new", "f (1).x": "new"]),
            Case(
                rule: .rename, there: "new", isRepeated: true, outcome: placed,
                files: ["f.x": "new"]),
            Case(rule: .replace, there: "old", outcome: placed, files: ["f.x": "new"]),
            Case(rule: .replaceIfSame, there: "new", outcome: placed, files: ["f.x": "new"]),
            Case(rule: .replaceIfSame, there: "old", outcome: taken, files: ["f.x": "old"]),
            Case(rule: .replaceIfSame, there: "newer", outcome: taken, files: ["f.x": "newer"]),
        ]
        for each in cases {
            let field = try Field(isOther: isOther)
            try field.write(each.there, "f.x")
            let outcome = try field.put(
                Array("new".utf8), "f.x", each.rule, isRepeated: each.isRepeated)
            #expect(outcome == each.outcome, "\(each)")
            let files = try Dictionary(
                uniqueKeysWithValues: field.names().map {
                    ($0, String(decoding: field.bytes($0) ?? [], as: UTF8.self))
                })
            #expect(files == each.files, "\(each)")
        }
    }

    /// An origin that offers the name of another program's file does not replace that file.
    @Test(arguments: [false, true])
    func underANameOfTheOriginOnlyAFileOfTheSameURLIsReplaced(isOther: Bool) throws {
        let field = try Field(isOther: isOther)
        func put(_ text: String, _ url: String) throws -> PlacingFolder.Outcome {
            try field.put(Array(text.utf8), "f.x", .replace, url: url, isNamed: false)
        }
        func text(_ name: String) -> String? {
            field.bytes(name).map { String(decoding: $0, as: UTF8.self) }
        }
        try field.write("theirs", "f.x")
        #expect(try put("one", "https://a/1") == .placed(path: "f (1).x"))
        #expect(try put("two", "https://a/2") == .placed(path: "f (2).x"))
        // Each download finds its own file again.
        #expect(try put("ONE", "https://a/1") == .placed(path: "f (1).x"))
        #expect(try put("TWO", "https://a/2") == .placed(path: "f (2).x"))
        #expect(text("f.x") == "theirs" && text("f (1).x") == "ONE" && text("f (2).x") == "TWO")
        // A file that another program put in its place belongs to that program.
        try FileManager.default.removeItem(atPath: field.inside + "/f (1).x")
        try field.write("edited", "f (1).x")
        #expect(try put("1", "https://a/1") == .placed(path: "f (3).x"))
        #expect(text("f (1).x") == "edited")
        // A folder and a link are not files of the service.
        try FileManager.default.createDirectory(
            atPath: field.inside + "/f (4).x", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: field.inside + "/f (5).x", withDestinationPath: "f (3).x")
        #expect(try put("6", "https://a/6") == .placed(path: "f (6).x"))
        // A client that chooses the name replaces any file of that name.
        let named = try field.put(Array("mine".utf8), "f.x", .replace, url: "https://a/3")
        #expect(named == .placed(path: "f.x") && text("f.x") == "mine")
    }

    /// The next attempt finds a file that an earlier one placed before it ended, under each rule.
    @Test(arguments: [false, true], FileConflict.allCases)
    func anAttemptThatIsRepeatedLeavesOneFile(isOther: Bool, _ rule: FileConflict) throws {
        let field = try Field(isOther: isOther)
        try field.write("other", "f")
        let first = try field.put([1, 2, 3], "f", rule)
        let again = try field.put([1, 2, 3], "f", rule, isRepeated: true)
        #expect(again == first)
        let mine = try field.names().filter { field.bytes($0) == [1, 2, 3] }
        #expect(mine.count == (rule == .fail || rule == .replaceIfSame ? 0 : 1))
    }

    /// The process is killed before each step that changes a file or a name: the next attempt
    /// leaves one whole file, and the files of others.
    @Test(arguments: [false, true], FileConflict.allCases)
    func killedAtAnyStepItIsPlacedByTheNextAttempt(isOther: Bool, _ rule: FileConflict) throws {
        let mine = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 11 >> 3) }
        let theirs = Array("theirs".utf8)
        for isTaken in [false, true] {
            let before = isTaken ? ["a/f": theirs] : [:]
            let killed = Mutex<[[String: [UInt8]]]>([])
            let watched = Mutex<Field?>(nil)
            let field = try Field(
                isOther: isOther,
                step: {
                    guard let field = watched.withLock({ $0 }) else { return }
                    do {
                        let files = try field.files()
                        killed.withLock { $0.append(files) }
                    } catch { Issue.record("\(error)") }
                })
            try field.restore(before)
            watched.withLock { $0 = field }
            let outcome = try field.put(mine, "a/f", rule)
            watched.withLock { $0 = nil }
            let states = killed.withLock { $0 }
            // A copy is written in pieces.
            let isRefused = isTaken && (rule == .fail || rule == .replaceIfSame)
            #expect(states.count >= (isOther && outcome != .taken(path: "a/f") ? 6 : 2))
            for state in states {
                let next = try Field(isOther: isOther)
                try next.restore(state)
                // The earlier attempt had this fence.
                _ = try next.part([0])
                #expect(try next.put(mine, "a/f", rule, isRepeated: true) == outcome)
                let left = try next.files().filter { !$0.key.hasPrefix(".lull/") }
                #expect(left.filter { $0.value == mine }.count == (isRefused ? 0 : 1))
                let hasTheirs = left.contains { $0.value == theirs }
                #expect(hasTheirs == (isTaken && rule != .replace))
                #expect(left.count == (isTaken && rule == .rename ? 2 : 1))
                try next.expectOutsideUntouched()
            }
        }
    }

    @Test func aCopyThatHasNoRoomLeavesNothing() throws {
        let field = try Field(isOther: true)
        expectFailure(.noSpace) { () throws(ContentError) in
            try field.put([1, 2, 3], "f", reserve: .max / 2)
        }
        #expect(try field.names() == [])
        #expect(try field.put([1, 2, 3], "f") == .placed(path: "f"))
    }

    @Test func aHalfCopyOfAnEarlierProcessIsNotTaken() throws {
        let field = try Field(isOther: true)
        try FileManager.default.createDirectory(
            atPath: field.inside + "/.lull", withIntermediateDirectories: false)
        try field.write("ha", ".lull/dl_0.1")
        try field.write("old", ".lull/dl_9.9")
        #expect(try field.put(Array("half".utf8), "f") == .placed(path: "f"))
        #expect(field.bytes("f") == Array("half".utf8))
        #expect(field.bytes(".lull/dl_0.1") == nil)
        // Files older than a day are removed when a process opens the folder.
        _ = try PlacingFolder(opening: field.inside)
        #expect(field.bytes(".lull/dl_9.9") != nil)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -90_000)],
            ofItemAtPath: field.inside + "/.lull/dl_9.9")
        _ = try PlacingFolder(opening: field.inside)
        #expect(field.bytes(".lull/dl_9.9") == nil)
    }

    /// Paths of every kind over a folder with links that lead out of it, in circles and to files.
    @Test(arguments: [false, true])
    func noPathLeadsOutside(isOther: Bool) throws {
        var random = SystemRandomNumberGenerator()
        let words = [
            "..", ".", "", "a", "b", "out", "up", "loop", "file", "dangling", "canary", "deep",
            "\u{0}", "\u{7f}", "x\n", String(repeating: "n", count: 255),
            String(repeating: "n", count: 256), "é", "/", ".lull", "in", "*", "$HOME", "~",
            "%2e%2e",
        ]
        let field = try Field(isOther: isOther)
        let files = FileManager.default
        for (link, target) in [
            ("out", field.outside), ("up", "../out"), ("loop", "loop"), ("dangling", "../none"),
        ] {
            try files.createSymbolicLink(
                atPath: field.inside + "/" + link, withDestinationPath: target)
        }
        try field.write("file", "file")
        try files.createDirectory(
            atPath: field.inside + "/deep", withIntermediateDirectories: false)
        try files.createSymbolicLink(
            atPath: field.inside + "/deep/canary",
            withDestinationPath: field.outside + "/canary")
        var placed = 0
        for number in 0..<600 {
            let count = Int.random(in: 1...5, using: &random)
            let path = (0..<count).map { _ in words.randomElement(using: &random) ?? "a" }
                .joined(separator: "/")
            guard FolderPath.refusal(of: path) == nil else { continue }
            let rule = FileConflict.allCases.randomElement(using: &random) ?? .fail
            let bytes = Array("number \(number)".utf8)
            do throws(ContentError) {
                if case .placed(let real) = try field.put(bytes, path, rule) {
                    placed += 1
                    #expect(field.bytes(real) == bytes, "\(path)")
                    #expect(FolderPath.refusal(of: real) == nil)
                }
            } catch {
                #expect(error.code != .noSpace, "\(path): \(error)")
            }
            try field.expectOutsideUntouched(path)
        }
        #expect(placed > 20)
    }

    /// A folder that turns into a link to the outside and back while files are placed beneath it.
    @Test(arguments: [false, true])
    func aLinkThatAppearsInBetweenIsNotFollowed(isOther: Bool) throws {
        let field = try Field(isOther: isOther)
        let (inside, outside) = (field.inside, field.outside)
        let isOver = Mutex(false)
        let flips = DispatchGroup()
        DispatchQueue.global().async(group: flips) {
            while !isOver.withLock({ $0 }) {
                _ = unsafe symlink(outside, inside + "/d")
                _ = unsafe unlink(inside + "/d")
                _ = unsafe mkdir(inside + "/d", 0o755)
                _ = unsafe rename(inside + "/d", inside + "/was")
                _ = unsafe rename(inside + "/was", inside + "/d")
                do {
                    try FileManager.default.removeItem(atPath: inside + "/d")
                } catch {}
            }
        }
        for number in 0..<400 {
            do throws(ContentError) {
                _ = try field.put([UInt8(number % 256)], "d/f\(number)", .rename)
            } catch {
                #expect(error.code != .noSpace, "\(error)")
            }
        }
        isOver.withLock { $0 = true }
        flips.wait()
        try field.expectOutsideUntouched()
    }
}
