// A folder of the operator's into which finished files are placed; what is in it belongs to others.
internal import CPlatform
package import Core
internal import Glibc
internal import Platform

/// An open folder; paths are opened beneath it without following links.
///
/// All calls block: use them on a file lane of their own, because a copy takes long.
package final class PlacingFolder: Sendable {
    /// What a file is placed by.
    package struct Wish: Sendable {
        /// Where: a path that `FolderPath` allows.
        package var path: String
        /// What happens if there is a file of that name.
        package var onConflict: FileConflict
        /// The URL that the file came from.
        package var url: String
        /// Whether the client chose the name; under others a file of another URL is not replaced.
        package var isNamedByClient: Bool
        /// Whether an earlier attempt came as far as this: a file with the same bytes is its own.
        package var isRepeated: Bool
        /// Whether the file is copied although it could have a second name.
        package var copies: Bool
        /// The bytes of the file.
        package var length: Int64
        /// How much has to stay free where bytes are copied, of the volume as it is.
        package var reserve: @Sendable (Volume) -> Int64

        /// Names all of it.
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

    /// What came of it.
    package enum Outcome: Equatable, Sendable {
        /// The file is there, durable, under this path.
        case placed(path: String)
        /// Another file has the name.
        case taken(path: String)
    }

    /// So many names with numbers are tried.
    private static let numbersAtMost = 1000
    private static let look = "open a file of the folder"
    /// The mode of files.
    private static let fileMode: mode_t = 0o644
    /// The mode of folders that are made.
    private static let folderMode: mode_t = 0o755

    /// The operation that failed where the bytes of the file itself could not be made durable.
    package static let syncOfPart = "fdatasync"

    let root: ContentDirectory
    /// Called before each step that changes a file or a name.
    private let step: @Sendable () -> Void

    /// Why a folder could not be opened, as far as reading can tell.
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

    /// The same; `step` is called before each step that changes a file or a name.
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

    /// Puts a whole file into the folder: on the same volume by a second name for it, else, and
    /// where the operator wants that, by a copy that is synced and compared before it gets its
    /// name.
    ///
    /// - Parameters:
    ///   - part: the file, to which nothing is added any more.
    ///   - wish: where to.
    /// - Returns: what came of it; after `placed` the file and its name are durable.
    /// - Throws: `ContentError`: `noSpace` where a copy has no room, else anything that the folder
    ///   or the file answers.
    package func place(_ part: PartFile, _ wish: Wish) throws(ContentError) -> Outcome {
        precondition(FolderPath.refusal(of: wish.path) == nil, "a path stays beneath its folder")
        var above = FolderPath.components(of: wish.path)
        let name = above.removeLast()
        let parent = try makeParent(above)
        let place = Place(part: part, wish: wish, parent: parent, above: above, name: name)
        step()
        try part.checkpoint()
        try attempt("fchmod") { fchmod(part.descriptor.rawValue, PlacingFolder.fileMode) }
        SourceMark(url: wish.url).put(on: part.descriptor.rawValue)
        if !wish.copies {
            do throws(ContentError) {
                let own = Source(directory: part.directory, path: part.name.partPath)
                return try finish(try give(own, place), place)
            } catch {
                guard PlacingFolder.needsCopy(error) else { throw error }
            }
        }
        // Nothing is copied for a name that is taken.
        if wish.onConflict == .fail, !wish.isRepeated, try parent.has(name) {
            return .taken(path: place.path(name))
        }
        step()
        let stage = try stage()
        let copy = Source(directory: stage, path: part.name.description)
        try stage.remove(copy.path)
        do throws(ContentError) {
            step()
            try self.copy(part, to: copy, wish)
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
        let wish: Wish
        let parent: ContentDirectory
        let above: [String]
        let name: String

        func path(_ name: String) -> String { (above + [name]).joined(separator: "/") }
    }

    /// A second name cannot be had across volumes, nor on file systems that have none.
    private static func needsCopy(_ error: ContentError) -> Bool {
        guard error.operation == "linkat", let errno = error.errno else { return false }
        return [EXDEV, EPERM, EMLINK, EOPNOTSUPP].contains(errno.rawValue)
    }

    /// Gives a file its name in the folder, by the rule for one that is taken.
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
            let mayBeSame = place.wish.isRepeated || place.wish.onConflict == .replaceIfSame
            if mayBeSame, try isSame(place, name) { return .placed(path: place.path(name)) }
            switch place.wish.onConflict {
            case .rename: continue
            case .fail, .replaceIfSame: return .taken(path: place.path(name))
            case .replace where !place.wish.isNamedByClient && !isOfSameURL(place, name):
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

    /// Renames a second name of the file over another file.
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
            return SourceMark(url: place.wish.url).isOn(other.rawValue)
        } catch {
            return false
        }
    }

    /// Whether the file of a name has the same bytes; they are durable then.
    private func isSame(_ place: Place, _ name: String) throws(ContentError) -> Bool {
        do throws(ContentError) {
            let other = try place.parent.open(
                name, O_RDONLY | O_NONBLOCK, operation: PlacingFolder.look)
            let status = try FileStatus(of: other.rawValue)
            guard status.isRegular, status.length == place.wish.length,
                try place.part.hasSameBytes(as: other, length: place.wish.length)
            else { return false }
            try attemptOnce("fsync") { fsync(other.rawValue) }
            return true
        } catch {
            guard error.operation == PlacingFolder.look else { throw error }
            // A link, or what may not be read.
            return false
        }
    }
}

extension PlacingFolder {
    /// The folder above a file; what is missing on the way is made.
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
            // The process may have a narrower mask.
            try attempt("fchmod") { fchmod(made.descriptor.rawValue, PlacingFolder.folderMode) }
            try above.syncEntries()
        }
        // As a whole once more: what was moved meanwhile may not lie beneath the folder any more.
        return try open(whole)
    }

    /// Opens a folder beneath this one; an empty path is this one.
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
        // Kernels before 5.6: one component after the other, none of them a link.
        var directory = ContentDirectory(
            owning: try root.open(".", flags, operation: "open"))
        for component in path.isEmpty ? [] : FolderPath.components(of: path) {
            directory = ContentDirectory(
                owning: try directory.open(
                    component, flags, operation: ContentError.openAlone))
        }
        return directory
    }

    /// The folder in which files are prepared: no reader of the others looks there.
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

    /// Removes what a process left in the middle of a copy, more than a day ago: other processes
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
        _ part: PartFile, to copy: Source, _ wish: Wish
    ) throws(ContentError) {
        let volume = try Volume(of: root.descriptor.rawValue)
        guard volume.free - wish.length >= wish.reserve(volume) else {
            throw ContentError(.noSpace, "less than the reserve would stay free")
        }
        let file = try copy.directory.open(
            copy.path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600, operation: "open a copy")
        var offset: Int64 = 0
        var failure: ContentError?
        try unsafe part.readBack(length: wish.length) { piece in
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
        SourceMark(url: wish.url).put(on: file.rawValue)
        try attemptOnce("fsync of a copy") { fsync(file.rawValue) }
        // What is compared comes from the disk, as far as the kernel lets its pages go.
        _ = posix_fadvise(file.rawValue, 0, 0, POSIX_FADV_DONTNEED)
        guard try part.hasSameBytes(as: file, length: wish.length) else {
            throw ContentError(.ioError, "the copy has other bytes than the file")
        }
        // Last: an old file that has no name yet counts as left over.
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
    /// Whether another file has the same bytes in the length given.
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
    /// Whether it has an entry of that name, a link included.
    fileprivate func has(_ name: String) throws(ContentError) -> Bool {
        do throws(ContentError) {
            _ = try FileStatus(of: name, in: descriptor.rawValue)
            return true
        } catch {
            guard error.code == .notFound else { throw error }
            return false
        }
    }

    /// Makes its entries durable.
    fileprivate func syncEntries() throws(ContentError) {
        try attemptOnce("fsync of a directory") { fsync(descriptor.rawValue) }
    }
}
