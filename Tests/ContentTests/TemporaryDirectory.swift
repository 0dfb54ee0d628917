// A directory below /tmp that goes away with its owner.
import Foundation
import Testing

@testable import Content

/// Owns one directory for one test.
final class TemporaryDirectory: Sendable {
    let path: String

    /// Makes it below a folder, by default the folder of temporary files.
    init(below folder: String = FileManager.default.temporaryDirectory.path) throws {
        path = "\(folder)/lull-content-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            Issue.record("\(path) could not be removed: \(error)")
        }
    }

    func store() throws -> ContentStore {
        try ContentStore.open(directory: path, newInstance: Array(0..<16))
    }

    /// The names of all files below `content/`, sorted.
    func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path + "/content")
            .filter { $0.contains(".") }
            .map { String($0.split(separator: "/").last ?? "") }
            .sorted()
    }

    func bytes(of name: ContentName, _ suffix: String = "") throws -> [UInt8] {
        let file = try FileManager.default.subpathsOfDirectory(atPath: path + "/content")
            .first { $0.hasSuffix("/" + name.description + suffix) }
        let found = try #require(file, "\(name)\(suffix) is missing")
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "/content/" + found)))
    }
}

func name(_ id: String, _ fence: Int64 = 1) -> ContentName {
    ContentName(id: id, fence: fence)
}

/// Makes finished files of these bytes.
func publish(_ contents: [String: [UInt8]], in store: ContentStore) throws {
    let batch = try contents.map { id, bytes in
        let part = try store.create(name(id))
        try part.write(bytes, at: 0)
        return CompletedPart(part: part, length: Int64(bytes.count))
    }
    for result in store.publish(batch) { _ = try result.get() }
}

/// Expects the call to fail with that code.
func expectFailure<Value>(
    _ code: ContentError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws(ContentError) -> Value
) {
    do throws(ContentError) {
        _ = try body()
        Issue.record("no \(code)", sourceLocation: sourceLocation)
    } catch {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    }
}
