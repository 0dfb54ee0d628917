// Folders and names of local files; pure but for the folder that is made.
internal import Glibc
internal import Platform

/// Takes paths apart, and makes file names out of names that others have chosen.
package enum LocalName {
    /// The most bytes of a name.
    private static let bytesAtMost = 240

    /// The folder of a path with its slash; empty for the present folder.
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// A path in a folder.
    static func path(_ name: String, in folder: String) -> String {
        folder.isEmpty || folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    /// A name that a local file may have: without slashes and control characters, not hidden, no
    /// option of a command, and not too long.
    ///
    /// - Parameter name: the name that an origin or another client has chosen.
    /// - Returns: a name of 1 to 240 bytes; `download` for one of which nothing is left.
    package static func safe(_ name: String) -> String {
        var text = Printable.text(name).replacing("/", with: "_").replacing("\\", with: "_")
        while text.first == " " { text.removeFirst() }
        while text.last == " " || text.last == "." { text.removeLast() }
        guard !text.isEmpty else { return "download" }
        if text.hasPrefix(".") || text.hasPrefix("-") { text = "_" + text.dropFirst() }
        guard text.utf8.count > bytesAtMost else { return text }
        let (stem, ending) = parts(text)
        let kept = ending.utf8.count < 32 ? ending : ""
        var short = stem
        while short.utf8.count + kept.utf8.count > bytesAtMost { short.removeLast() }
        return short + kept
    }

    /// The name with a number before its ending: `a.tar.gz` becomes `a-2.tar.gz`.
    ///
    /// - Parameters:
    ///   - name: a safe name.
    ///   - number: 1 for the name itself.
    /// - Returns: the name.
    package static func numbered(_ name: String, _ number: Int) -> String {
        guard number > 1 else { return name }
        let (stem, ending) = parts(name)
        return "\(stem)-\(number)\(ending)"
    }

    /// The name before its ending, and the ending with its dot; `.tar.gz` is one ending.
    private static func parts(_ name: String) -> (stem: String, ending: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
        let stem = String(name[..<dot])
        if stem.hasSuffix(".tar"), stem.count > 4 {
            return (String(stem.dropLast(4)), ".tar" + name[dot...])
        }
        return (stem, String(name[dot...]))
    }

    /// Makes a folder and those above it, if they are missing.
    ///
    /// - Throws: `ClientFailure` where that cannot be done.
    static func makeFolder(_ path: String) throws(ClientFailure) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += part + "/"
            if unsafe mkdir(made, 0o755) == 0 { continue }
            let error = Errno(rawValue: errno)
            var status = stat()
            guard unsafe stat(made, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                throw .usage("the folder \(path) cannot be made: \(error)")
            }
        }
    }
}
