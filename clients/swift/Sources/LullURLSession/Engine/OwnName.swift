internal import Foundation

/// A part of the name of a default session that no other running program of this machine has.
///
/// It stands in a file that is locked while the program runs. The lock ends with the program, however
/// that ends, and the next program takes the same name: so programs that come and go leave no more
/// sessions behind than run at once.
final class OwnName: Sendable {
    /// 16 hexadecimal digits.
    let text: String
    /// The locked file; -1 where no file could be locked, and the name is random.
    private let descriptor: Int32

    private static let length = 16
    private static let filesAtMost = 1000

    /// Takes a name.
    ///
    /// - Parameter code: tells which programs may have the same names one after the other.
    init(for code: String) {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "lull-urlsession-names-\(getuid())")
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            (text, descriptor) = (OwnName.random(), -1)
            return
        }
        for number in 0..<OwnName.filesAtMost {
            let file = folder.appending(path: "\(code)-\(number)").path
            // Programs that this one starts do not inherit the lock.
            let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { break }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                close(descriptor)
                continue
            }
            if let known = OwnName.read(descriptor) {
                (text, self.descriptor) = (known, descriptor)
                return
            }
            let new = OwnName.random()
            let bytes = Array(new.utf8)
            if ftruncate(descriptor, 0) == 0,
                pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
            {
                (text, self.descriptor) = (new, descriptor)
                return
            }
            close(descriptor)
            break
        }
        (text, descriptor) = (OwnName.random(), -1)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    private static func random() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: length - digits.count) + digits
    }

    /// The name in a file; nil where it has none, such as one that was just made.
    private static func read(_ descriptor: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: length)
        guard pread(descriptor, &bytes, length, 0) == length else { return nil }
        let digits = Set("0123456789abcdef".utf8)
        return bytes.allSatisfy(digits.contains) ? String(decoding: bytes, as: UTF8.self) : nil
    }
}
