// Parses `postmaster.pid`; pure.

/// The fields of `postmaster.pid`; see the server's miscadmin.h.
struct PostmasterFile: Equatable {
    /// The postmaster's process number.
    let processID: Int32
    /// The port, which is part of the socket's name.
    let port: Int
    /// The directory of the socket.
    let socketDirectory: String

    /// Reads the file's text; nil while the server has not written all of it.
    init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 5, let processID = Int32(lines[0]), processID > 1,
            let port = Int(lines[3]), !lines[4].isEmpty
        else { return nil }
        self.processID = processID
        self.port = port
        socketDirectory = String(lines[4])
    }
}
