import Foundation

/// A file whose bytes are brought.
struct SourceFile {
    private let handle: FileHandle
    let length: Int

    init(_ url: URL) throws(LullError) {
        do {
            handle = try FileHandle(forReadingFrom: url)
            length = Int(try handle.seekToEnd())
        } catch {
            throw .file("\(url.path): \(error.localizedDescription)")
        }
    }

    func read(from offset: Int, count: Int) throws(LullError) -> Data {
        do {
            try handle.seek(toOffset: UInt64(offset))
            return try handle.read(upToCount: count) ?? Data()
        } catch {
            throw .file(error.localizedDescription)
        }
    }
}
