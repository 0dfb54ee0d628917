// The file beside an output that says which download `lull get` began for it.
internal import Base
internal import Crypto
internal import Glibc
internal import Platform

/// Remembers the download of an output, so that the same command goes on with it.
struct GetRecord {
    private static let bytesAtMost = 200

    private let path: String

    /// Names the file; reads and writes nothing.
    ///
    /// - Parameters:
    ///   - url: the URL that is fetched.
    ///   - name: the name of the output; nil if it is not known yet.
    ///   - folder: the folder of the output.
    ///   - context: the service, and the wishes of the command: with other wishes it is another
    ///     download.
    init(url: String, name: String?, in folder: String, _ context: ClientContext) {
        let wishes = context.arguments.options.filter { Command.wishNames.contains($0.name) }
        let words = wishes.map { "\($0.name)=\($0.value)" }
        let server = context.transport.settings.server.text
        let text = ([server, url, name ?? ""] + words).joined(separator: "\n")
        let digest = Hex.encode(Array(SHA256.digest(of: text).prefix(12)))
        path = LocalName.path(".lull-\(digest).id", in: folder)
    }

    /// The download that was begun; nil if none was.
    var id: String? {
        guard let bytes = FileText.bytes(of: path, atMost: GetRecord.bytesAtMost) else {
            return nil
        }
        let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isNewline }
        let isIdentifier = text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5a).contains($0 & 0xdf) || $0 == 0x5f
        }
        return isIdentifier && text.hasPrefix("dl_") ? text : nil
    }

    /// Notes the download.
    ///
    /// - Throws: `ClientFailure` where the file cannot be written.
    func write(_ id: String) throws(ClientFailure) {
        let bytes = Array((id + "\n").utf8)
        do throws(Errno) {
            let number = try retryingInterrupts {
                unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
            }
            let file = FileDescriptor(owning: number)
            _ = try retryingInterrupts {
                unsafe Glibc.write(file.rawValue, bytes, bytes.count)
            }
        } catch {
            throw ClientFailure("\(path) cannot be written: \(error)")
        }
    }

    /// Forgets the download, because its output is there or will not come.
    func remove() { _ = unsafe unlink(path) }
}
