// Which version of the file a resume point is about.
import Base
import Downloads

extension AttemptWorld {
    func matches(_ point: ResumePoint, _ version: Int) -> Bool {
        guard let known = versions[version] else { return false }
        // Equal bytes have another ETag at each mirror; a digest of the whole proves them.
        if mirrors > 1 { return true }
        if let etag = point.etag { return known.etag == etag }
        if let date = point.ifRange { return known.lastModified == date.text }
        // These bytes are proved by a digest of the whole alone.
        return true
    }
}
