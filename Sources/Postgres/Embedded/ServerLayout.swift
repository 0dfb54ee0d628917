// Paths of the private server.
internal import Glibc
internal import Platform

/// The paths of one server, under its directory.
struct ServerLayout: Equatable {
    /// The directory, absolute and without links.
    let directory: String

    /// The port, which is only a part of the socket's name.
    static let port = 5432
    /// The most bytes of a socket's path; see unix(7).
    static let socketPathMax = 107

    /// The directory of the cluster.
    var data: String { directory + "/data" }
    /// The directory of a cluster that is being created.
    var partial: String { directory + "/data.partial" }
    /// The log of the server.
    var log: String { directory + "/server.log" }
    /// The lock file, which is locked by the process that owns and stops the server.
    var lock: String { directory + "/lock" }
    /// The file in which the postmaster writes its process number and socket.
    var postmaster: String { data + "/postmaster.pid" }

    /// The directory of the socket: inside, or under /tmp if its path is too long for a socket or
    /// libpq would read it as a list.
    var socketDirectory: String {
        let inside = directory + "/socket"
        let length = inside.utf8.count + "/.s.PGSQL.\(Self.port)".utf8.count
        guard length > Self.socketPathMax || inside.contains(",") else { return inside }
        // FNV-1a makes a name, not a secret; the directory's mode protects it.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in directory.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return "/tmp/lull-" + String(hash, radix: 16)
    }

    /// The socket.
    var socket: String { socketDirectory + "/.s.PGSQL.\(Self.port)" }

    /// The libpq URL of a database behind a socket.
    static func url(socketDirectory: String, port: Int, database: String) -> String {
        "postgresql:///\(escaped(database))?host=\(escaped(socketDirectory))&port=\(port)&user=lull"
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."), UInt8(ascii: "/"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
            }
        }
        return result
    }
}

extension ServerLayout {
    /// Creates the directory and resolves its path.
    static func make(_ path: String) throws(PostgresError) -> ServerLayout {
        do throws(Errno) {
            try Directory.make(path, mode: 0o700)
            return ServerLayout(directory: try ServerFiles.realPath(path))
        } catch {
            throw PostgresError(.serverDirectory, "\(path) cannot be made: \(error)")
        }
    }

    /// Gives the directory and the socket's directory to the server's account.
    func hand(to account: ServerAccount?) throws(PostgresError) {
        for path in [directory, socketDirectory] {
            do throws(Errno) {
                try Directory.make(path, mode: 0o700)
                let handle = try ServerFiles.open(path, O_RDONLY | O_DIRECTORY)
                let number = handle.rawValue
                if let account, ServerFiles.status(path)?.userID == 0 {
                    try retryingInterrupts { fchown(number, account.userID, account.groupID) }
                }
                let owner = account?.userID ?? geteuid()
                guard ServerFiles.status(path)?.userID == owner else {
                    throw Errno(rawValue: EPERM)
                }
                try retryingInterrupts { fchmod(number, 0o700) }
            } catch {
                throw PostgresError(
                    .serverDirectory,
                    "the owner of \(path) cannot be changed to that of the database: \(error)")
            }
        }
    }

    /// Checks that the account can enter the directory.
    func checkAccess(by account: ServerAccount) throws(PostgresError) {
        let test = ServerProcess.path(of: "test") ?? "/usr/bin/test"
        let ending = try ServerProcess(account: account).run([test, "-x", directory + "/."])
        guard !ending.isSuccess else { return }
        var barrier = directory
        var path = ""
        for part in directory.split(separator: "/") {
            path += "/" + part
            guard let status = ServerFiles.status(path) else { break }
            let bit: mode_t =
                if status.userID == account.userID {
                    0o100
                } else if status.groupID == account.groupID {
                    0o010
                } else {
                    0o001
                }
            if status.mode & bit == 0 {
                barrier = path
                break
            }
        }
        throw PostgresError(
            .serverDirectory,
            "PostgreSQL runs as user \(account.name), which cannot enter \(barrier): allow it "
                + "(chmod o+x \(barrier)) or choose another data directory, such as /var/lib/lull",
            detail: ending.output)
    }
}
