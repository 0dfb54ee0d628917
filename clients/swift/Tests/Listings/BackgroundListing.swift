// swift-format-ignore-file
// A background download as Apple's guide orders it: configuration, task with its begin and its sizes,
// the handler of the relaunched app, the end of events, the file, and errors.
import Foundation
import LullURLSession

public class AppDelegate: NSObject, UIApplicationDelegate {
    public var backgroundCompletionHandler: (() -> Void)?

    public func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        backgroundCompletionHandler = completionHandler
    }
}

public class BackgroundController: UIViewController, URLSessionDelegate, URLSessionDownloadDelegate
{
    let server: URL
    public var documents: URL
    public var finished: [String] = []
    public var failed: [Error] = []
    public var onEnd: (() -> Void)?

    public init(server: URL, documents: URL) {
        self.server = server
        self.documents = documents
    }

    public lazy var urlSession: URLSession = {
        let config = URLSessionConfiguration.background(withIdentifier: "MySession", server: server)
        config.isDiscretionary = true
        config.sessionSendsLaunchEvents = true
        return URLSession(configuration: config, delegate: self, delegateQueue: nil)
    }()

    @discardableResult
    public func begin(_ url: URL, after seconds: TimeInterval = 60 * 60) -> URLSessionDownloadTask {
        let backgroundTask = urlSession.downloadTask(with: url)
        backgroundTask.earliestBeginDate = Date().addingTimeInterval(seconds)
        backgroundTask.countOfBytesClientExpectsToSend = 200
        backgroundTask.countOfBytesClientExpectsToReceive = 500 * 1024
        backgroundTask.resume()
        return backgroundTask
    }

    public func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        DispatchQueue.main.async {
            guard let appDelegate = UIApplication.shared.delegate as? AppDelegate,
                let backgroundCompletionHandler = appDelegate.backgroundCompletionHandler
            else { return }
            backgroundCompletionHandler()
        }
    }

    public func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        guard let httpResponse = downloadTask.response as? HTTPURLResponse,
            (200...299).contains(httpResponse.statusCode)
        else {
            print("server error")
            return
        }
        do {
            let name = downloadTask.originalRequest?.url?.lastPathComponent ?? "file"
            let savedURL = documents.appendingPathComponent(name)
            try FileManager.default.moveItem(at: location, to: savedURL)
            finished.append(name)
        } catch {
            failed.append(error)
        }
    }

    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: Error?
    ) {
        if let error = error { failed.append(error) }
        onEnd?()
    }
}
