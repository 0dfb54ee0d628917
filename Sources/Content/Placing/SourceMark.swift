// The mark of a placed file that records its URL.
internal import CPlatform
internal import Crypto
internal import Platform

/// The digest of a URL, kept with a file as an extended attribute; see xattr(7).
///
/// A program that replaces the file, as most editors do, removes the mark with it. A file system
/// without such attributes keeps no marks.
struct SourceMark {
    private static let name = "user.lull.url"

    private let digest: [UInt8]

    /// Creates the mark of a URL.
    init(url: String) { digest = SHA256.digest(of: url) }

    /// Sets the mark on an open file.
    ///
    /// - Returns: whether the file has the mark; it is a file without one where it cannot.
    @discardableResult
    func put(on file: Int32) -> Bool {
        do throws(ContentError) {
            try attempt("fsetxattr") {
                unsafe digest.withUnsafeBytes { bytes in
                    unsafe fsetxattr(
                        file, SourceMark.name, bytes.baseAddress, bytes.count, 0)
                }
            }
            return true
        } catch {
            return false
        }
    }

    /// Whether an open file has this mark.
    func isOn(_ file: Int32) -> Bool {
        var found = [UInt8](repeating: 0, count: digest.count)
        do throws(ContentError) {
            let count = try attempt("fgetxattr") {
                unsafe found.withUnsafeMutableBytes { room in
                    unsafe fgetxattr(file, SourceMark.name, room.baseAddress, room.count)
                }
            }
            return count == digest.count && found == digest
        } catch {
            return false
        }
    }
}
