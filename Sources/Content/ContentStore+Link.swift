// The part of an upload that sends content.
internal import Glibc
internal import Platform

extension ContentStore {
    /// Gives a finished file a further name, that of an unfinished one, which can be removed by
    /// itself; nothing may write to it.
    ///
    /// If the file system allows no link, the bytes are copied.
    ///
    /// - Parameters:
    ///   - name: the file.
    ///   - part: the further name; an unfinished file that has it is replaced.
    ///   - length: of the file.
    /// - Throws: `ContentError`: `notFound` if the file is not there or has another length, else
    ///   `noSpace`, `ioError`.
    package func link(
        _ name: ContentName, asPart part: ContentName, length: Int64
    ) throws(ContentError) {
        let file = try directory.open(name.path, O_RDONLY, operation: "open content")
        guard try FileStatus(of: file.rawValue).length == length else {
            throw ContentError(.notFound, "the content has another length than its row says")
        }
        try directory.remove(part.partPath)
        let number = directory.descriptor.rawValue
        let (from, to) = (name.path, part.partPath)
        do throws(ContentError) {
            try attempt("linkat") { unsafe linkat(number, from, number, to, 0) }
        } catch {
            guard error.allowsCopy else { throw error }
            try copy(file, as: part, length: length).close()
        }
        try directory.syncFileSystem()
    }
}
