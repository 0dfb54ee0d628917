// Finds the PostgreSQL programs on this machine.
internal import Glibc
internal import Platform

/// The programs of one version of PostgreSQL.
struct ServerBinaries: Equatable {
    /// The directory that holds `initdb` and `postgres`.
    let directory: String
    /// The major version.
    let version: Int

    /// The oldest version that the SQL of this program supports.
    static let versionMin = 15

    /// The path of `initdb`.
    var initdb: String { directory + "/initdb" }
    /// The path of `postgres`.
    var postgres: String { directory + "/postgres" }

    /// Looks in PATH, then in the directories of Debian's packages.
    ///
    /// - Parameter wanted: the version of an existing cluster; nil for the newest.
    /// - Returns: the programs.
    /// - Throws: `serverMissing`.
    static func find(version wanted: Int?) throws(PostgresError) -> ServerBinaries {
        var found: [ServerBinaries] = []
        for directory in candidates() {
            guard let version = try version(of: directory + "/postgres") else { continue }
            found.append(ServerBinaries(directory: directory, version: version))
        }
        if let wanted {
            if let match = found.first(where: { $0.version == wanted }) { return match }
            throw PostgresError(
                .serverMissing,
                "the private database was made by PostgreSQL \(wanted), which is not installed "
                    + "here: install that version")
        }
        let fit = found.filter { $0.version >= versionMin }
        if let newest = fit.max(by: { $0.version < $1.version }) { return newest }
        throw PostgresError(
            .serverMissing,
            "no PostgreSQL server of version \(versionMin) or later is installed; install "
                + "postgresql, or set LULL_DATABASE_URL")
    }

    /// The major version in a line such as `postgres (PostgreSQL) 15.18 (Debian …)`.
    static func version(in line: String) -> Int? {
        guard let word = line.split(separator: " ").first(where: { $0.first?.isNumber == true })
        else { return nil }
        return Int(word.prefix { $0.isNumber })
    }

    private static func candidates() -> [String] {
        var directories: [String] = []
        let versions = ServerFiles.names(in: "/usr/lib/postgresql")
        let places =
            ServerProcess.searchPath + versions.map { "/usr/lib/postgresql/\($0)/bin" }
        for place in places {
            guard unsafe access(place + "/initdb", X_OK) == 0,
                unsafe access(place + "/postgres", X_OK) == 0
            else { continue }
            do throws(Errno) {
                // The entries of PATH may be links into the directory of a version.
                let program = try ServerFiles.realPath(place + "/initdb")
                let directory = String(program.dropLast("/initdb".count))
                if !directories.contains(directory) { directories.append(directory) }
            } catch { continue }
        }
        return directories
    }

    private static func version(of postgres: String) throws(PostgresError) -> Int? {
        let ending = try ServerProcess(account: nil).run([postgres, "--version"])
        return ending.isSuccess ? version(in: ending.output) : nil
    }
}
