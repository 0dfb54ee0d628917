internal import Foundation

/// A transfer into memory.
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {
    // Safe because its member is set before the first resume.
    var handler: (@Sendable (Data?, URLResponse?, (any Error)?) -> Void)?

    init(_ session: URLSession, _ request: URLRequest?) {
        super.init(session, request, kind: .data)
    }
}
