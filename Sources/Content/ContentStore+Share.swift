// One finished file under the names of several downloads.
internal import Glibc
internal import Platform

extension ContentStore {
    /// Gives a finished file further names, each of which can be removed without the others.
    ///
    /// The names are links to one file, which nothing writes to any more. If the file system allows
    /// no further link, the bytes are copied, and later names are links to the copy.
    ///
    /// - Parameters:
    ///   - name: the file.
    ///   - others: the further names; what a crash left there is replaced.
    ///   - length: of the file.
    /// - Throws: `ContentError`: `notFound` if the file is not there or is shorter, else `noSpace`,
    ///   `ioError`; names that were made stay for the sweep.
    func share(
        _ name: ContentName, as others: [ContentName], length: Int64
    ) throws(ContentError) {
        var source = name
        for other in others {
            if try link(source, as: other) { continue }
            try copyFinished(source, as: other, length: length)
            source = other
        }
        try directory.syncFileSystem()
    }

    /// - Returns: false where the file can have no further name.
    private func link(
        _ name: ContentName, as other: ContentName
    ) throws(ContentError) -> Bool {
        let (from, number) = (name.path, directory.descriptor.rawValue)
        let to = other.path
        for _ in 0..<2 {
            do throws(ContentError) {
                try attempt("linkat") { unsafe linkat(number, from, number, to, 0) }
                return true
            } catch {
                if error.errno == .exists {
                    try directory.remove(to)
                } else if error.allowsCopy {
                    return false
                } else {
                    throw error
                }
            }
        }
        throw ContentError(.alreadyExists, "no free name was found for a shared file")
    }

    /// Copies a finished file to another name.
    func copyFinished(
        _ name: ContentName, as other: ContentName, length: Int64
    ) throws(ContentError) {
        try directory.remove(other.partPath)
        let source = try directory.open(name.path, O_RDONLY, operation: "open content")
        let part = try copy(source, as: other, length: length)
        do throws(ContentError) {
            try part.rename(to: other.path)
            part.close()
        } catch {
            try part.discard()
            throw error
        }
    }
}

extension ContentError {
    /// Whether a link failed for a reason that holds for links alone.
    var allowsCopy: Bool {
        errno == .tooManyLinks || errno == .notPermitted || errno == .notSupported
    }
}

extension Errno {
    /// The file has the most links that it can have: EMLINK.
    fileprivate static let tooManyLinks = Errno(rawValue: EMLINK)
    /// The file system has no links: EPERM.
    fileprivate static let notPermitted = Errno(rawValue: EPERM)
    /// The file system has no links: EOPNOTSUPP.
    fileprivate static let notSupported = Errno(rawValue: EOPNOTSUPP)
}
