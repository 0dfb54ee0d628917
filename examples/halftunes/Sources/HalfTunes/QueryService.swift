import Foundation
import LullURLSession

/// Searches the catalogue; a new search cancels the one before.
final class QueryService: @unchecked Sendable {
    // Safe because everything that changes is behind the lock.
    private let catalogue: String
    private let session = URLSession(configuration: .default)
    private let lock = NSLock()
    private var dataTask: URLSessionDataTask?
    private var found: [Track] = []
    private var message = ""

    init(catalogue: String) {
        self.catalogue = catalogue
    }

    /// What the last search found, and what went wrong.
    var results: (tracks: [Track], message: String) { lock.withLock { (found, message) } }

    func search(_ term: String) {
        guard var parts = URLComponents(string: catalogue + "/search") else { return }
        parts.queryItems = [.init(name: "media", value: "music"), .init(name: "term", value: term)]
        guard let url = parts.url else { return }
        lock.withLock {
            dataTask?.cancel()
            found = []
            message = "Searching …"
            let task = session.dataTask(with: url) { [weak self] data, response, error in
                self?.take(url, data, response, error)
            }
            dataTask = task
            task.resume()
        }
    }

    private func take(_ url: URL, _ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
        lock.withLock {
            // The answer to a search that another one has canceled is not shown.
            guard dataTask?.originalRequest?.url == url else { return }
            dataTask = nil
            if let error {
                message = "DataTask error: \(error.localizedDescription)"
            } else if let data, (response as? HTTPURLResponse)?.statusCode == 200 {
                do {
                    found = try JSONDecoder().decode(SearchAnswer.self, from: data).results
                    message = found.isEmpty ? "Nothing was found." : ""
                } catch {
                    message = "The catalogue answered with other JSON."
                }
            }
        }
    }
}
