internal import Foundation

/// A transfer of a file to a receiver.
open class URLSessionUploadTask: URLSessionTask, @unchecked Sendable {
    // Safe because its members are set before the first resume.
    var handler: (@Sendable (Data?, URLResponse?, (any Error)?) -> Void)?
    let file: URL

    init(_ session: URLSession, _ request: URLRequest, file: URL) {
        self.file = file
        super.init(session, request, kind: .upload)
    }

    init(_ session: URLSession, found report: Report) {
        file = URL(filePath: report.metadata[MetadataKey.file] ?? "")
        super.init(
            session, report.request, kind: .upload, identifier: report.identifier,
            name: report.name)
    }
}
