// Inspecting a server's directory without changing it.
internal import Glibc
internal import Platform

extension EmbeddedServer {
    /// The state of a cluster in a directory.
    package enum Presence: Sendable, Equatable {
        /// There is no cluster.
        case absent
        /// There is a cluster whose server does not run, as far as this account can see.
        case stopped
        /// There is a running server, at this URL of its database.
        case running(url: String)
    }

    /// Looks for a cluster and its server; creates, locks and starts nothing.
    package static func find(
        in directory: String, database: String = Options().database
    ) -> Presence {
        guard let layout = layout(directory),
            ServerFiles.status(layout.data + "/PG_VERSION") != nil
        else { return .absent }
        guard let text = ServerFiles.text(layout.postmaster),
            let file = PostmasterFile(text),
            ServerFiles.link("/proc/\(file.processID)/cwd") == layout.data
        else { return .stopped }
        return .running(
            url: ServerLayout.url(
                socketDirectory: file.socketDirectory, port: file.port, database: database))
    }

    /// The reason why a server could not be started in a directory; runs `postgres --version`,
    /// writes nothing.
    ///
    /// - Returns: a sentence, or nil if a server can be started.
    package static func complaint(about directory: String) -> String? {
        do throws(PostgresError) {
            let layout = layout(directory)
            let data = layout?.data ?? directory + "/data"
            let version = ServerFiles.text(data + "/PG_VERSION").flatMap {
                Int($0.prefix { $0.isNumber })
            }
            _ = try ServerBinaries.find(version: version)
            let account = try ServerAccount.choose(
                clusterOwner: ServerFiles.status(data)?.userID)
            if let layout, let account, version != nil {
                try layout.checkAccess(by: account)
            }
            return nil
        } catch {
            return error.message
        }
    }

    private static func layout(_ directory: String) -> ServerLayout? {
        do throws(Errno) {
            return ServerLayout(directory: try ServerFiles.realPath(directory))
        } catch {
            return nil
        }
    }
}
