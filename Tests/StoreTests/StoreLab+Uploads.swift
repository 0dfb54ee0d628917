// Uploads in the store of a test.
import Base
import Downloads
import Store

extension StoreLab {
    /// The origin of the receiver of uploads.
    static let receiver = "https://receiver.example:8443"

    /// Stores an upload of nine bytes, of which a data directory takes the bytes.
    func submitUpload(
        at instance: Identifier?, _ members: JSONObject = JSONObject()
    ) async throws -> Identifier {
        var object = members
        object["destination"] = ["url": .string(StoreLab.receiver + "/in/file")]
        object["url"] = .string(StoreLab.receiver + "/in/file")
        var request = try DownloadRequest.parse(.object(object)).get()
        request.upload = Upload(length: 9)
        request.bytesExpectedToReceive = 9
        let id = StoreLab.identifier().ofUpload
        let spec = DownloadSpec(
            request, session: SessionConfiguration(), sessionVersion: 1, defaults: .standard)
        var new = NewDownload(
            download: Download(id: id, request: request, spec: spec, createdAt: .epoch), app: 1,
            sessionKey: 1, origin: StoreLab.receiver)
        new.resume = instance.map { ResumePoint(stagingAt: $0.hexadecimal) }
        _ = try await Intake(pool: pool).submit(new)
        return id
    }
}
