// The volume under the files: how much room it has, and whether it works at all.
internal import CPlatform
internal import Glibc
internal import Platform

extension ContentStore {
    /// The volume as it is now; see fstatvfs(3).
    ///
    /// - Throws: `ContentError`: `ioError`, also where `content/` is not this data directory's.
    package func volume() throws(ContentError) -> Volume {
        try expectOwnFolder()
        return try Volume(of: directory.descriptor.rawValue)
    }

    /// Allocates room for a file, unless too little would stay free.
    ///
    /// - Parameters:
    ///   - bytes: how long the file will be.
    ///   - part: the file.
    ///   - written: how much of it is there.
    ///   - reserve: how much has to stay free, of the volume as it is.
    /// - Throws: `ContentError`: `noSpace`, `ioError`, `locked`.
    package func preallocate(
        bytes: Int64, for part: PartFile, written: Int64, leaving reserve: (Volume) -> Int64
    ) throws(ContentError) {
        let volume = try volume()
        guard volume.free - max(0, bytes - written) >= reserve(volume) else {
            throw ContentError(.noSpace, "less than the reserve would stay free")
        }
        try part.preallocate(bytes: bytes)
    }

    /// What the disk answers instead of working, nil while it works.
    package var trouble: String? { directory.health.trouble }

    /// Writes and syncs a small file and takes it away; success ends the trouble.
    ///
    /// - Throws: `ContentError`: the disk still does not work.
    package func probe() throws(ContentError) {
        let name = "probe"
        try expectOwnFolder()
        try directory.remove(name)
        let file = try directory.open(
            name, O_RDWR | O_CREAT | O_EXCL, mode: 0o600, operation: "open probe")
        let bytes = [UInt8](repeating: 0x4c, count: 4096)
        let count = try attempt("write probe") {
            unsafe bytes.withUnsafeBytes {
                unsafe Glibc.write(file.rawValue, $0.baseAddress, $0.count)
            }
        }
        guard count == bytes.count else { throw ContentError("write probe", .noSpace) }
        try attemptOnce("fdatasync of probe") { fdatasync(file.rawValue) }
        try directory.remove(name)
        directory.health.recover()
    }
}
