// Checks before anything is opened, for serve and check-config.
internal import Content
internal import Downloads
internal import Glibc
internal import HTTPServer
internal import Platform
internal import Postgres
internal import Webhooks

/// Checks that need no network, no port and no write.
enum Preflight {
    /// Checks everything that the settings name: URL, secret, files, directories, programs.
    ///
    /// - Throws: `ConfigurationError` for the first fault.
    static func check(_ configuration: Configuration) throws(ConfigurationError) {
        if let url = configuration.databaseURL {
            if let complaint = ConnectionOptions.complaint(about: url) {
                throw ConfigurationError("LULL_DATABASE_URL: \(complaint)")
            }
        } else if let complaint = EmbeddedServer.complaint(about: configuration.serverDirectory) {
            throw ConfigurationError("LULL_DATABASE_URL is not set, and \(complaint)")
        }
        if let secret = configuration.webhookSecret, WebhookSigner(secret: secret) == nil {
            throw ConfigurationError(
                "LULL_WEBHOOK_SECRET: must be whsec_ and base64 of 24 to 64 bytes")
        }
        if let file = configuration.certificateFile { try checkCertificates(file) }
        for folder in configuration.destinations?.list.compactMap(\.folder) ?? [] {
            if let complaint = PlacingFolder.complaint(about: folder.path) {
                throw ConfigurationError("LULL_DESTINATIONS: \(complaint)")
            }
        }
        try checkFolder(configuration.dataDirectory)
        if let complaint = ContentStore.complaint(about: configuration.dataDirectory) {
            throw ConfigurationError("LULL_DATA_DIR: \(complaint)")
        }
        _ = try EncryptionKeys.read(configuration)
        for case .unix(let path) in configuration.listen { try checkSocket(path) }
    }

    /// Checks the durability settings of a database.
    ///
    /// - Throws: `CommandError` for one that is too old, or would lose what it confirmed.
    static func check(_ settings: DurabilitySettings) throws(CommandError) {
        guard settings.serverVersion >= 150_000 else {
            throw CommandError(
                "the database is PostgreSQL \(settings.serverVersion / 10_000); 15 or later is "
                    + "needed")
        }
        guard settings.areSafe else {
            throw CommandError(
                "the database would lose accepted downloads in a crash: set fsync and "
                    + "full_page_writes to on, and synchronous_commit not to off")
        }
    }

    private static func checkCertificates(_ file: String) throws(ConfigurationError) {
        guard let bytes = TextFile.read(file, bytesAtMost: 16 << 20) else {
            throw ConfigurationError("LULL_CA_FILE: the file \(file) cannot be read")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let kinds = ["CERTIFICATE", "TRUSTED CERTIFICATE", "X509 CERTIFICATE"]
        guard kinds.contains(where: { text.contains("-----BEGIN \($0)-----") }) else {
            throw ConfigurationError("LULL_CA_FILE: the file \(file) has no certificate in PEM")
        }
    }

    /// Checks that the directory, or its nearest existing parent, is writable.
    private static func checkFolder(_ path: String) throws(ConfigurationError) {
        var place = path
        var status = stat()
        while unsafe stat(place, &status) != 0 {
            guard errno == ENOENT, place != "/", place != "." else {
                throw ConfigurationError("LULL_DATA_DIR: \(path): \(Errno.current)")
            }
            let slash = place.lastIndex(of: "/")
            place = slash.map { String(place[..<$0]) } ?? "."
            if place.isEmpty { place = "/" }
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw ConfigurationError("LULL_DATA_DIR: \(place) is not a directory")
        }
        guard unsafe access(place, W_OK | X_OK) == 0 else {
            throw ConfigurationError(
                "LULL_DATA_DIR: \(place) cannot be written to: \(Errno.current)")
        }
    }

    /// Checks that the directory of a socket exists, and that its path is free or a socket.
    private static func checkSocket(_ path: String) throws(ConfigurationError) {
        var status = stat()
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard unsafe stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw ConfigurationError("LULL_LISTEN: there is no directory \(folder)")
        }
        guard unsafe access(folder, W_OK | X_OK) == 0 else {
            throw ConfigurationError(
                "LULL_LISTEN: \(folder) cannot be written to: \(Errno.current)")
        }
        if unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFSOCK {
            throw ConfigurationError("LULL_LISTEN: \(path) exists and is not a socket")
        }
    }
}
