// The facts of an unfinished file, by which a write by another program is noticed.
package import Downloads
internal import Platform

extension PartFile {
    /// The present facts of the file; nil if they cannot be read.
    package var mark: FileMark? {
        do throws(ContentError) {
            return try FileStatus(of: descriptor.rawValue).mark
        } catch {
            return nil
        }
    }
}

extension ContentStore {
    /// The present facts of an unfinished file under its name; nil if it is not there.
    package func mark(of name: ContentName) -> FileMark? {
        do throws(ContentError) {
            return try FileStatus(of: name.partPath, in: directory.descriptor.rawValue).mark
        } catch {
            return nil
        }
    }
}
