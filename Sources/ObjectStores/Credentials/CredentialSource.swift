// The keys of a store, from a file or from the environment.
internal import Base
internal import Downloads
internal import Platform
internal import Synchronization

/// Keys that are read when they are first needed, and anew after a refusal.
final class CredentialSource: Sendable {
    private let file: String?
    private let profile: String
    private let environment: [String: String]
    private let kept = Mutex<SigningCredentials?>(nil)

    /// The most bytes of the file.
    private static let bytesAtMost = 1 << 16

    /// Creates a source; nothing is read.
    init(_ location: StoreLocation, environment: [String: String]) {
        file = location.credentialsFile
        profile = location.profile
        self.environment = environment.filter { $0.key.hasPrefix("AWS_") }
    }

    /// Reads them anew, with the next request.
    func forget() { kept.withLock { $0 = nil } }

    /// The keys, read if they are not known.
    func current() throws(StoreFailure) -> SigningCredentials {
        if let known = kept.withLock({ $0 }) { return known }
        let read = try read()
        kept.withLock { $0 = read }
        return read
    }

    /// The keys after others were refused.
    ///
    /// - Returns: nil if the store would be asked with the refused ones again.
    func renewed(after refused: SigningCredentials) throws(StoreFailure) -> SigningCredentials? {
        if let known = kept.withLock({ $0 }), known != refused { return known }
        let read = try read()
        kept.withLock { $0 = read }
        return read == refused ? nil : read
    }

    private func read() throws(StoreFailure) -> SigningCredentials {
        guard let file else { return try fromEnvironment() }
        let bytes: [UInt8]
        do throws(Errno) {
            bytes = try SmallFile.bytes(file, atMost: CredentialSource.bytesAtMost)
        } catch {
            throw StoreFailure(
                .refused, "The credentials file of the store cannot be read: \(error).")
        }
        return try CredentialsFile.credentials(
            String(decoding: bytes, as: UTF8.self), profile: profile)
    }

    private func fromEnvironment() throws(StoreFailure) -> SigningCredentials {
        func value(_ name: String) throws(StoreFailure) -> String {
            guard let value = environment[name], !value.isEmpty else {
                throw StoreFailure(
                    .refused,
                    "There are no credentials for the store: it has no credentials_file, and "
                        + "\(name) is not set.")
            }
            return value
        }
        let token = environment["AWS_SESSION_TOKEN"]
        return SigningCredentials(
            accessKey: try value("AWS_ACCESS_KEY_ID"),
            secretKey: try value("AWS_SECRET_ACCESS_KEY"),
            sessionToken: token?.isEmpty == false ? token : nil)
    }
}
