import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that becomes whole piece by piece, also over several runs of the program.
final class PartFile {
    private let url: URL
    private let handle: FileHandle
    private(set) var length: Int

    /// Opens the file, or makes it.
    ///
    /// More bytes than the whole has are those of something else.
    init(_ url: URL, length whole: Int) throws(LullError) {
        self.url = url
        do {
            if !FileManager.default.fileExists(atPath: url.path) {
                try Data().write(to: url)
            }
            handle = try FileHandle(forUpdating: url)
            length = Int(try handle.seekToEnd())
            if length > whole {
                try handle.truncate(atOffset: 0)
                length = 0
            }
        } catch {
            throw .file("\(url.path): \(error.localizedDescription)")
        }
    }

    deinit {
        // A descriptor of an opened file; what an error of its close would say was said by `publish`.
        handle.closeFile()
    }

    func append(_ bytes: Data) throws(LullError) {
        try attempt {
            try handle.seekToEnd()
            try handle.write(contentsOf: bytes)
        }
        length += bytes.count
    }

    /// The SHA-256 of the whole file.
    func digest() throws(LullError) -> String {
        var digest = SHA256()
        try attempt {
            try handle.seek(toOffset: 0)
            while let bytes = try handle.read(upToCount: 1 << 20), !bytes.isEmpty {
                digest.update(bytes)
            }
        }
        return SHA256.hexadecimal(digest.finish())
    }

    func remove() throws(LullError) {
        try attempt { try FileManager.default.removeItem(at: url) }
    }

    /// Syncs the file and gives it its name, in place of a file that has it.
    func publish(as file: URL) throws(LullError) {
        try attempt { try handle.synchronize() }
        // rename(2) replaces a file in one step, which FileManager does not promise on Linux.
        guard rename(url.path, file.path) == 0 else {
            throw .file("\(file.path): \(String(cString: strerror(errno)))")
        }
    }

    private func attempt(_ work: () throws -> Void) throws(LullError) {
        do {
            try work()
        } catch {
            throw .file("\(url.path): \(error.localizedDescription)")
        }
    }
}
