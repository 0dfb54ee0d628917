// Placing finished files in a folder of the operator, whose other files are not touched.
internal import CPlatform
package import Downloads
internal import Glibc
internal import Platform

/// An open folder; paths are opened beneath it without following links.
///
/// All calls block: use them on a separate file lane, because a copy takes long.
package final class PlacingFolder: Sendable {
    /// The request to place a file.
    package struct PlacementRequest: Sendable {
        /// The path of the file in the folder, which `FolderPath` allows.
        package var path: String
        /// The rule for a name that is taken.
        package var onConflict: FileConflict
        /// The URL from which the file was downloaded.
        package var url: String
        /// Whether the client chose the name; under a name that it did not choose, a file from
        /// another URL is not replaced.
        package var isNamedByClient: Bool
        /// Whether an earlier attempt may have placed the file: then a file with the same bytes
        /// counts as placed.
        package var isRepeated: Bool
        /// Whether the file is copied even if a second link is possible.
        package var copies: Bool
        /// The length of the file in bytes.
        package var length: Int64
        /// The bytes of the volume that a copy has to leave free, computed from the volume's state.
        package var reserve: @Sendable (Volume) -> Int64

        /// Creates a value with all its members.
        package init(
            path: String, onConflict: FileConflict, url: String, isNamedByClient: Bool,
            isRepeated: Bool, copies: Bool = false, length: Int64,
            reserve: @escaping @Sendable (Volume) -> Int64
        ) {
            self.path = path
            self.onConflict = onConflict
            self.url = url
            self.isNamedByClient = isNamedByClient
            self.isRepeated = isRepeated
            self.copies = copies
            self.length = length
            self.reserve = reserve
        }
    }

    /// The outcome of placing a file.
    package enum Outcome: Equatable, Sendable {
        /// The file is durable under this path.
        case placed(path: String)
        /// Another file has the name.
        case taken(path: String)
    }

    /// The most numbered names that are tried.
    private static let numbersAtMost = 1000
    private static let look = "open a file of the folder"
    /// The mode of placed files.
    private static let fileMode: mode_t = 0o644
    /// The mode of folders that are created.
    private static let folderMode: mode_t = 0o755

    /// The name of the operation that failed if the bytes of the file itself could not be made
    /// durable.
    package static let syncOfPart = "fdatasync"

    let root: ContentDirectory
    /// Called before each step that changes a file or a name.
    private let step: @Sendable () -> Void

    /// The reason why a folder could not be opened, as far as reading can tell.
    ///
    /// - Returns: a sentence; nil if it can be.
    package static func complaint(about path: String) -> String? {
        do throws(ContentError) {
            let folder = try attempt("open \(path)") {
                unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            }
            let owner = FileDescriptor(owning: folder)
            try attempt("write to \(path)") {
                unsafe faccessat(owner.rawValue, ".", W_OK | X_OK, 0)
            }
            return nil
        } catch {
            return error.description
        }
    }

    /// Opens a folder.
    ///
    /// - Parameter path: an absolute path; the folder must exist and be writable.
    /// - Throws: `ContentError`.
    package convenience init(opening path: String) throws(ContentError) {
        try self.init(opening: path, step: {})
    }

    /// Opens a folder; `step` is called before each step that changes a file or a name.
    init(opening path: String, step: @escaping @Sendable () -> Void) throws(ContentError) {
        self.step = step
        root = ContentDirectory(
            owning: FileDescriptor(
                owning: try attempt("open \(path)") {
                    unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                }))
        let number = root.descriptor.rawValue
        try attempt("write to \(path)") { unsafe faccessat(number, ".", W_OK | X_OK, 0) }
        try removeLeftovers()
    }

    /// Places a complete file in the folder: by a second link on the same volume, or by a copy that
    /// is synced and compared before it gets its name, if a link is impossible or the operator
    /// wants a copy.
    ///
    /// - Parameters:
    ///   - part: the file, to which nothing is added any more.
    ///   - request: where to.
    /// - Returns: what came of it; after `placed` the file and its name are durable.
    /// - Throws: `ContentError`: `noSpace` where a copy has no room, else anything that the folder
    ///   or the file answers.
    package func place(
        _ part: PartFile, _ request: PlacementRequest
    ) throws(ContentError) -> Outcome {
        precondition(FolderPath.refusal(of: request.path) == nil, "a path stays beneath its folder")
        var above = FolderPath.components(of: request.path)
        let name = above.removeLast()
        let parent = try makeParent(above)
        let place = Place(part: part, request: request, parent: parent, above: above, name: name)
        step()
        try part.checkpoint()
        try attempt("fchmod") { fchmod(part.descriptor.rawValue, PlacingFolder.fileMode) }
        SourceMark(url: request.url).put(on: part.descriptor.rawValue)
        if !request.copies {
            do throws(ContentError) {
                let own = Source(directory: part.directory, path: part.name.partPath)
                return try finish(try give(own, place), place)
            } catch {
                guard PlacingFolder.needsCopy(error) else { throw error }
            }
        }
        // There is no need to copy for a name that is taken.
        if request.onConflict == .fail, !request.isRepeated, try parent.has(name) {
            return .taken(path: place.path(name))
        }
        step()
        let stage = try stage()
        let copy = Source(directory: stage, path: part.name.description)
        try stage.remove(copy.path)
        do throws(ContentError) {
            step()
            try self.copy(part, to: copy, request)
            let outcome = try finish(try give(copy, place), place)
            step()
            try stage.remove(copy.path)
            return outcome
        } catch {
            do throws(ContentError) { try stage.remove(copy.path) } catch {}
            throw error
        }
    }

    private struct Source {
        let directory: ContentDirectory
        let path: String
    }

    private struct Place {
        let part: PartFile
        let request: PlacementRequest
        let parent: ContentDirectory
        let above: [String]
        let name: String

        func path(_ name: String) -> String { (above + [name]).joined(separator: "/") }
    }

    /// Whether a link failed in a way that asks for a copy: it leads to another volume, or the file
    /// system has no links.
    private static func needsCopy(_ error: ContentError) -> Bool {
        guard error.operation == "linkat", let errno = error.errno else { return false }
        return [EXDEV, EPERM, EMLINK, EOPNOTSUPP].contains(errno.rawValue)
    }

    /// Gives a file its name in the folder, by the rule for a name that is taken.
    private func give(_ source: Source, _ place: Place) throws(ContentError) -> Outcome {
        for number in 0..<PlacingFolder.numbersAtMost {
            let name = number == 0 ? place.name : FolderPath.numbered(place.name, number)
            step()
            do throws(ContentError) {
                try PlacingFolder.link(source, to: place.parent, name)
                return .placed(path: place.path(name))
            } catch {
                guard error.code == .alreadyExists else { throw error }
            }
            let mayBeSame = place.request.isRepeated || place.request.onConflict == .replaceIfSame
            if mayBeSame, try isSame(place, name) { return .placed(path: place.path(name)) }
            switch place.request.onConflict {
            case .rename: continue
            case .fail, .replaceIfSame: return .taken(path: place.path(name))
            case .replace where !place.request.isNamedByClient && !isOfSameURL(place, name):
                continue
            case .replace:
                guard try replace(name, with: source, place) else {
                    return .taken(path: place.path(name))
                }
                return .placed(path: place.path(name))
            }
        }
        return .taken(path: place.path(place.name))
    }

    /// Renames a second link of the file over another file.
    ///
    /// - Returns: false if a directory has the name.
    private func replace(
        _ name: String, with source: Source, _ place: Place
    ) throws(ContentError) -> Bool {
        let stage = try stage()
        let spare = place.part.name.description + ".new"
        step()
        try stage.remove(spare)
        try PlacingFolder.link(source, to: stage, spare)
        step()
        do throws(ContentError) {
            let (from, to) = (stage.descriptor.rawValue, place.parent.descriptor.rawValue)
            try attempt("renameat") { unsafe renameat(from, spare, to, name) }
            return true
        } catch {
            try stage.remove(spare)
            guard error.errno?.rawValue == EISDIR else { throw error }
            return false
        }
    }

    private static func link(
        _ source: Source, to directory: ContentDirectory, _ name: String
    ) throws(ContentError) {
        let (from, to) = (source.directory.descriptor.rawValue, directory.descriptor.rawValue)
        try attempt("linkat") { unsafe linkat(from, source.path, to, name, 0) }
    }

    /// Makes the name of a placed file durable.
    private func finish(_ outcome: Outcome, _ place: Place) throws(ContentError) -> Outcome {
        guard case .placed = outcome else { return outcome }
        step()
        try place.parent.syncEntries()
        return outcome
    }

    /// Whether the file of a name was placed from the same URL.
    private func isOfSameURL(_ place: Place, _ name: String) -> Bool {
        do throws(ContentError) {
            let other = try place.parent.open(
                name, O_RDONLY | O_NONBLOCK, operation: PlacingFolder.look)
            return SourceMark(url: place.request.url).isOn(other.rawValue)
        } catch {
            return false
        }
    }

    /// Whether the file of a name has the same bytes; if so, they are made durable.
    private func isSame(_ place: Place, _ name: String) throws(ContentError) -> Bool {
        do throws(ContentError) {
            let other = try place.parent.open(
                name, O_RDONLY | O_NONBLOCK, operation: PlacingFolder.look)
            let status = try FileStatus(of: other.rawValue)
            guard status.isRegular, status.length == place.request.length,
                try place.part.hasSameBytes(as: other, length: place.request.length)
            else { return false }
            try attemptOnce("fsync") { fsync(other.rawValue) }
            return true
        } catch {
            guard error.operation == PlacingFolder.look else { throw error }
            // The name is a link, or a file that may not be read.
            return false
        }
    }
}

extension PlacingFolder {
    /// Opens the parent folder of a file, and creates the missing folders on the way.
    private func makeParent(_ components: [String]) throws(ContentError) -> ContentDirectory {
        let whole = components.joined(separator: "/")
        do throws(ContentError) {
            return try open(whole)
        } catch {
            guard error.code == .notFound, !components.isEmpty else { throw error }
        }
        for count in 1...components.count {
            let above = try open(components.prefix(count - 1).joined(separator: "/"))
            let name = components[count - 1]
            step()
            do throws(ContentError) {
                try attempt("mkdirat") {
                    unsafe mkdirat(above.descriptor.rawValue, name, PlacingFolder.folderMode)
                }
            } catch {
                guard error.code == .alreadyExists else { throw error }
                continue
            }
            let made = try open(components.prefix(count).joined(separator: "/"))
            step()
            // The process's umask may have removed bits of the mode.
            try attempt("fchmod") { fchmod(made.descriptor.rawValue, PlacingFolder.folderMode) }
            try above.syncEntries()
        }
        // Opened once more by its whole path: a folder that was moved meanwhile may not lie beneath
        // this folder any more.
        return try open(whole)
    }

    /// Opens a folder beneath this one; an empty path means this folder.
    private func open(_ path: String) throws(ContentError) -> ContentDirectory {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        let number = root.descriptor.rawValue
        do throws(ContentError) {
            return ContentDirectory(
                owning: FileDescriptor(
                    owning: try attempt(ContentError.openBeneath) {
                        unsafe lull_open_beneath(number, path.isEmpty ? "." : path, flags)
                    }))
        } catch {
            guard error.errno == .unknownCall else { throw error }
        }
        // For kernels before 5.6: opens one component after the other, none of them a link.
        var directory = ContentDirectory(
            owning: try root.open(".", flags, operation: "open"))
        for component in path.isEmpty ? [] : FolderPath.components(of: path) {
            directory = ContentDirectory(
                owning: try directory.open(
                    component, flags, operation: ContentError.openAlone))
        }
        return directory
    }

    /// Opens the hidden folder in which copies are prepared: readers of the other folders do not
    /// look there.
    private func stage() throws(ContentError) -> ContentDirectory {
        do throws(ContentError) {
            try attempt("mkdirat") {
                unsafe mkdirat(root.descriptor.rawValue, FolderPath.reserved, 0o700)
            }
        } catch {
            guard error.code == .alreadyExists else { throw error }
        }
        return try open(FolderPath.reserved)
    }

    /// Removes unfinished copies of dead processes that are more than a day old: other processes
    /// may use the folder, too.
    private func removeLeftovers() throws(ContentError) {
        let stage: ContentDirectory
        do throws(ContentError) {
            stage = try open(FolderPath.reserved)
        } catch {
            guard error.code == .notFound else { throw error }
            return
        }
        let oldest = SystemClock.wallMicroseconds() / 1_000_000 - 86_400
        for name in try ContentDirectory.fileNames(in: stage.descriptor.rawValue) {
            let status = try FileStatus(of: name, in: stage.descriptor.rawValue)
            if status.isRegular, status.modifiedSeconds < oldest { try stage.remove(name) }
        }
    }

    /// Copies a file, syncs the copy and compares it.
    private func copy(
        _ part: PartFile, to copy: Source, _ request: PlacementRequest
    ) throws(ContentError) {
        let volume = try Volume(of: root.descriptor.rawValue)
        guard volume.free - request.length >= request.reserve(volume) else {
            throw ContentError(.noSpace, "less than LULL_MIN_FREE_BYTES would stay free")
        }
        let file = try copy.directory.open(
            copy.path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600, operation: "open a copy")
        var offset: Int64 = 0
        var failure: ContentError?
        try unsafe part.readBack(length: request.length) { piece in
            guard failure == nil else { return }
            do throws(ContentError) {
                step()
                try unsafe PlacingFolder.write(piece, to: file.rawValue, at: offset)
                offset += Int64(piece.count)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        try attempt("fchmod") { fchmod(file.rawValue, PlacingFolder.fileMode) }
        SourceMark(url: request.url).put(on: file.rawValue)
        try attemptOnce("fsync of a copy") { fsync(file.rawValue) }
        // The comparison reads from the disk, as far as the kernel drops its pages.
        _ = posix_fadvise(file.rawValue, 0, 0, POSIX_FADV_DONTNEED)
        guard try part.hasSameBytes(as: file, length: request.length) else {
            throw ContentError(.ioError, "the copy differs from the file")
        }
        // The time is set last: a file with an old time and no name yet counts as left over.
        let modified = try FileStatus(of: part.descriptor.rawValue).modifiedSeconds
        try PartFile.setModified(of: file.rawValue, to: modified)
    }

    private static func write(
        _ bytes: UnsafeRawBufferPointer, to file: Int32, at offset: Int64
    ) throws(ContentError) {
        var written = 0
        while written < bytes.count {
            let count = try attempt("pwrite") {
                unsafe pwrite(
                    file, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written,
                    off_t(offset) + off_t(written))
            }
            guard count > 0 else { throw ContentError("pwrite", .noSpace) }
            written += count
        }
    }
}

extension PartFile {
    /// Whether another file has the same bytes up to a length.
    fileprivate func hasSameBytes(
        as other: borrowing FileDescriptor, length: Int64
    ) throws(ContentError) -> Bool {
        let number = other.rawValue
        var room = [UInt8](repeating: 0, count: 256 << 10)
        var isSame = true
        var offset: Int64 = 0
        var failure: ContentError?
        try unsafe readBack(length: length) { piece in
            guard isSame, failure == nil else { return }
            var done = 0
            while done < piece.count, isSame {
                let wanted = piece.count - done
                let place = offset + Int64(done)
                do throws(ContentError) {
                    let count = try attempt("pread") {
                        unsafe room.withUnsafeMutableBytes { memory in
                            unsafe pread(number, memory.baseAddress, wanted, off_t(place))
                        }
                    }
                    let isEqual = unsafe piece[done..<(done + count)].elementsEqual(room[..<count])
                    isSame = count > 0 && isEqual
                    done += max(count, 1)
                } catch {
                    failure = error
                    return
                }
            }
            offset += Int64(piece.count)
        }
        if let failure { throw failure }
        return isSame
    }
}

extension ContentDirectory {
    /// Whether the folder has an entry of this name, a link included.
    fileprivate func has(_ name: String) throws(ContentError) -> Bool {
        do throws(ContentError) {
            _ = try FileStatus(of: name, in: descriptor.rawValue)
            return true
        } catch {
            guard error.code == .notFound else { throw error }
            return false
        }
    }

    /// Makes the folder's entries durable.
    fileprivate func syncEntries() throws(ContentError) {
        try attemptOnce("fsync of a directory") { fsync(descriptor.rawValue) }
    }
}
