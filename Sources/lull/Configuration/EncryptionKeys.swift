// The keys that encrypt the secrets of requests: the operator's files, or a generated one.
internal import Base
internal import Crypto
internal import Glibc
internal import Platform

/// Reads and creates encryption keys.
enum EncryptionKeys {
    /// The keys of this deployment; creates one in the data directory if no file is named.
    ///
    /// - Throws: `ConfigurationError` for a file that holds no key.
    static func open(
        _ configuration: Configuration, log: Log
    ) throws(ConfigurationError) -> SecretBox {
        if configuration.encryptionKeyFiles.isEmpty {
            try makeUnlessThere(ownFile(configuration), log: log)
        }
        guard let box = try read(configuration) else {
            throw ConfigurationError("LULL_DATA_DIR: \(ownFile(configuration)) cannot be read")
        }
        return box
    }

    /// The existing keys; nil if `open` would create one.
    ///
    /// - Throws: `ConfigurationError` for a file that holds no key.
    static func read(_ configuration: Configuration) throws(ConfigurationError) -> SecretBox? {
        let named = configuration.encryptionKeyFiles
        let own = ownFile(configuration)
        if named.isEmpty, unsafe access(own, F_OK) != 0 { return nil }
        var keys: [[UInt8]] = []
        for file in named.isEmpty ? [own] : named { keys.append(try key(in: file)) }
        return SecretBox(keys: keys)
    }

    /// The file of the generated key in the data directory.
    static func ownFile(_ configuration: Configuration) -> String {
        configuration.dataDirectory + "/encryption_key"
    }

    /// Reads 32 bytes, raw or in one line of base64 or hexadecimal digits.
    private static func key(in file: String) throws(ConfigurationError) -> [UInt8] {
        guard let bytes = TextFile.read(file, bytesAtMost: 4096) else {
            throw ConfigurationError("LULL_ENCRYPTION_KEY_FILE: \(file) cannot be read")
        }
        if bytes.count == SecretBox.keyBytes { return bytes }
        let line = bytes.filter { $0 > 0x20 }
        let text = String(decoding: line, as: UTF8.self)
        for key in [Hex.decode(text), Base64.decode(text)] {
            if let key, key.count == SecretBox.keyBytes { return key }
        }
        throw ConfigurationError(
            "LULL_ENCRYPTION_KEY_FILE: \(file) has no key, which is 32 bytes, as they are or as "
                + "base64 or hexadecimal digits; openssl rand -base64 32 makes one")
    }

    /// Writes a key to a temporary file with mode 0600 and renames it.
    private static func makeUnlessThere(
        _ file: String, log: Log
    ) throws(ConfigurationError) {
        guard unsafe access(file, F_OK) != 0 else { return }
        let draft = file + ".new"
        do throws(Errno) {
            _ = unsafe unlink(draft)
            let number = try retryingInterrupts {
                unsafe Glibc.open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            }
            let descriptor = FileDescriptor(owning: number)
            let text = Array((Base64.encode(SecureRandom.bytes(SecretBox.keyBytes)) + "\n").utf8)
            let written = try retryingInterrupts {
                unsafe text.withUnsafeBytes {
                    Int32(unsafe write(descriptor.rawValue, $0.baseAddress, $0.count))
                }
            }
            guard Int(written) == text.count else { throw Errno(rawValue: ENOSPC) }
            _ = try retryingInterrupts { fsync(descriptor.rawValue) }
            _ = try retryingInterrupts { unsafe rename(draft, file) }
        } catch {
            throw ConfigurationError("LULL_DATA_DIR: \(file) cannot be made: \(error)")
        }
        log.info(
            "encryption key created: keep a copy of its file, and give the same key to every "
                + "replica",
            [("file", .string(file))])
    }
}
