// A place under test, with the data directory whose bodies it takes.
import Base
import Content
import Crypto
import Downloads
import Foundation
import Places
import Platform

/// One place, which a test may leave and open again as another process would.
final class PlaceLab {
    let kind: TestedPlace
    let directory: TemporaryDirectory
    /// The sentences about what does not hold.
    private(set) var complaints: [String] = []
    private(set) var place: any ContentPlace
    private(set) var objects: ObjectStore
    private let wrap: (any ContentPlace) -> any ContentPlace
    /// Nil only while the data directory is opened again.
    private var content: ContentStore?

    init(
        _ kind: TestedPlace, wrap: @escaping (any ContentPlace) -> any ContentPlace = { $0 }
    ) throws {
        self.kind = kind
        self.wrap = wrap
        directory = try TemporaryDirectory()
        let content = try directory.store()
        objects = try ObjectStore(folder: directory.path + "/objects")
        place = wrap(kind.open(content, objects))
        self.content = content
    }

    /// The data directory.
    var store: ContentStore {
        guard let content else { preconditionFailure("the data directory is open") }
        return content
    }

    /// Ends the process in the middle of its work and begins another one.
    func restart() async throws {
        // The lock of the data directory goes with its last owner.
        place = ObjectPlace(of: objects, identifier: place.identifier)
        content = nil
        for _ in 0..<100 {
            do {
                content = try directory.store()
                break
            } catch let error as ContentError where error.code == .locked {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        objects = try ObjectStore(folder: directory.path + "/objects")
        place = wrap(kind.open(store, objects))
    }

    /// Notes a sentence unless something holds.
    func expect(_ holds: Bool, _ complaint: String) {
        if !holds { complaints.append(complaint) }
    }

    /// A body in a file of the data directory, or in memory.
    func body(
        _ bytes: [UInt8], of name: ContentName, inMemory: Bool = false, length: Int64? = nil
    ) throws -> FinishedContent {
        let part: CompletedPart
        if inMemory {
            let block = bytes.isEmpty ? nil : MemoryBlock(capacity: bytes.count)
            _ = unsafe bytes.withUnsafeBytes { unsafe block?.append($0) }
            part = CompletedPart(name: name, bytes: block)
        } else {
            let file = try store.create(name)
            try file.write(bytes, at: 0)
            part = CompletedPart(part: file, length: length ?? Int64(bytes.count))
        }
        return FinishedContent(part: part, sha256: Self.digest(bytes))
    }

    static func digest(_ bytes: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(bytes)
        return Hex.encode(hash.finalize())
    }

    /// Publishes, and asks again until the place has settled it.
    func publish(_ body: FinishedContent) async -> Publication {
        var answer = Publication.underway
        for _ in 0..<50 {
            answer = await place.publish([body]).first ?? .underway
            switch answer {
            case .published, .failed: return answer
            case .underway, .unanswered: continue
            }
        }
        return answer
    }

    /// Publishes bytes that the test needs in the place.
    func publish(_ bytes: [UInt8], as name: ContentName) async throws {
        let answer = await publish(try body(bytes, of: name))
        expect(answer == .published, "\(name) is not published: \(answer)")
    }

    /// The bytes of content, or of a range; nil if the place says that it is missing.
    func read(_ name: ContentName, _ range: ClosedRange<Int64>? = nil) async throws -> [UInt8]? {
        do throws(PlaceError) {
            switch try await place.open(name, ReadingWish(range: range)) {
            case .file(let file):
                guard file.length > 0 else { return [] }
                let range = range ?? 0...(file.length - 1)
                return PositionedRead.bytes(
                    of: file.descriptor.rawValue, at: range.lowerBound,
                    count: Int(range.upperBound + 1 - range.lowerBound))
            case .chunks(let chunks):
                var bytes: [UInt8] = []
                while let piece = try await chunks.next() { bytes += piece }
                if range == nil {
                    expect(Int64(bytes.count) == chunks.length, "the length of \(name) is wrong")
                }
                return bytes
            case .redirect:
                expect(false, "\(name) is an address although bytes were wanted")
                return nil
            }
        } catch {
            guard error.code == .missing else { throw error }
            return nil
        }
    }

    /// Removes content, and asks again until it is gone.
    func remove(_ name: ContentName) async -> Removal {
        var answer = Removal.underway
        for _ in 0..<50 where answer == .underway {
            answer = await place.remove([name]).first ?? .underway
        }
        return answer
    }

    /// All files of an area; a file that is listed twice is noted.
    func list(_ area: StoredArea) async throws -> [StoredFile] {
        var files: [StoredFile] = []
        var cursor: String?
        repeat {
            let page = try await place.list(area, after: cursor)
            files += page.files
            cursor = page.next
        } while cursor != nil
        expect(Set(files).count == files.count, "a file is listed twice")
        return files
    }

    /// The unfinished files of the data directory.
    func parts() throws -> [String] {
        try directory.files().filter { $0.hasSuffix(".part") }
    }
}
