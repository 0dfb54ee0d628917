public import Foundation
internal import Synchronization

/// A transfer into a file.
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {
    // Safe because its members are set before the first resume.
    var handler: (@Sendable (URL?, URLResponse?, (any Error)?) -> Void)?
    private(set) var token: ResumeToken?
    private(set) var isContinued = false

    init(_ session: URLSession, _ request: URLRequest?) {
        super.init(session, request, kind: .download)
    }

    init(_ session: URLSession, found report: Report) {
        super.init(
            session, report.request, kind: .download, identifier: report.identifier,
            name: report.name)
    }

    /// Goes on with the bytes of another task.
    func continues(_ token: ResumeToken?) {
        self.token = token
        isContinued = true
    }

    /// Ends the task and keeps its bytes for `downloadTask(withResumeData:)`.
    ///
    /// The service keeps them for `timeoutIntervalForResource`.
    ///
    /// - Parameter completionHandler: gets the resume data on the delegate queue; nil if the task was
    ///   not resumed yet or is over.
    open func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
        driver.onResumeData(completionHandler)
        engine.want(.canceledForResume, self)
    }
}
