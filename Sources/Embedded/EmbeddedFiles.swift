// Files of the repository that are compiled in.
internal import CEmbedded

/// The files that are compiled in: openapi.yaml, `migrations/`, and those of the page.
package enum EmbeddedFiles {
    /// The names of the files, rising.
    package static let names = files.keys.sorted()

    private static let files: [String: [UInt8]] = {
        var files: [String: [UInt8]] = [:]
        // Safe because the table and its files are constants of the program, which nobody frees.
        let table = unsafe UnsafeBufferPointer(
            start: embedded_files(), count: embedded_file_count)
        for index in table.indices {
            let file = unsafe table[index]
            unsafe files[String(cString: file.name)] = Array(
                UnsafeBufferPointer(start: file.bytes, count: file.length))
        }
        return files
    }()

    /// The bytes of a file.
    ///
    /// - Parameter name: its path in the repository, or `page/` and the name of a file of the page;
    ///   a file of another name is a programming error.
    /// - Returns: the bytes.
    package static func bytes(_ name: String) -> [UInt8] {
        guard let bytes = files[name] else { preconditionFailure("\(name) is not embedded") }
        return bytes
    }

    /// The text of a file in UTF-8.
    package static func text(_ name: String) -> String {
        String(decoding: bytes(name), as: UTF8.self)
    }
}
