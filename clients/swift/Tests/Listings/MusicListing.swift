// swift-format-ignore-file
// An app of songs as the tutorial orders it: a search that cancels the one before, downloads that are
// started, paused, resumed and canceled, and the progress of each.
import Foundation
import LullURLSession

public struct Track: Equatable {
    public let artist: String
    public let index: Int
    public let name: String
    public let previewURL: URL
    public var downloaded = false

    public init(artist: String, index: Int, name: String, previewURL: URL) {
        self.artist = artist
        self.index = index
        self.name = name
        self.previewURL = previewURL
    }
}

public class Download {
    public var isDownloading = false
    public var progress: Float = 0
    public var resumeData: Data?
    public var task: URLSessionDownloadTask?
    public var track: Track

    init(track: Track) {
        self.track = track
    }
}

public class QueryService {
    let defaultSession: URLSession
    let server: URL
    var dataTask: URLSessionDataTask?
    var errorMessage = ""
    var tracks: [Track] = []

    public typealias JSONDictionary = [String: Any]
    public typealias QueryResult = ([Track]?, String) -> Void

    public init(server: URL) {
        self.server = server
        defaultSession = URLSession(configuration: .default(server: server, key: nil))
    }

    public func getSearchResults(
        at place: String, searchTerm: String, completion: @escaping QueryResult
    ) {
        dataTask?.cancel()
        if var urlComponents = URLComponents(string: place) {
            urlComponents.query = "media=music&entity=song&term=\(searchTerm)"
            guard let url = urlComponents.url else { return }
            dataTask = defaultSession.dataTask(with: url) { [weak self] data, response, error in
                guard let self = self else { return }
                defer { self.dataTask = nil }
                if let error = error {
                    self.errorMessage += "DataTask error: " + error.localizedDescription + "\n"
                    DispatchQueue.main.async { completion(nil, self.errorMessage) }
                } else if let data = data, let response = response as? HTTPURLResponse,
                    response.statusCode == 200
                {
                    self.updateSearchResults(data)
                    DispatchQueue.main.async {
                        completion(self.tracks, self.errorMessage)
                    }
                }
            }
            dataTask?.resume()
        }
    }

    private func updateSearchResults(_ data: Data) {
        var response: JSONDictionary?
        tracks.removeAll()
        do {
            response = try JSONSerialization.jsonObject(with: data, options: []) as? JSONDictionary
        } catch let parseError as NSError {
            errorMessage += "JSONSerialization error: \(parseError.localizedDescription)\n"
            return
        }
        guard let array = response?["results"] as? [Any] else {
            errorMessage += "Dictionary does not contain results key\n"
            return
        }
        var index = 0
        for trackDictionary in array {
            if let trackDictionary = trackDictionary as? JSONDictionary,
                let previewURLString = trackDictionary["previewUrl"] as? String,
                let previewURL = URL(string: previewURLString),
                let name = trackDictionary["trackName"] as? String,
                let artist = trackDictionary["artistName"] as? String
            {
                tracks.append(
                    Track(artist: artist, index: index, name: name, previewURL: previewURL))
                index += 1
            } else {
                errorMessage += "Problem parsing trackDictionary\n"
            }
        }
    }
}

public class DownloadService {
    public var activeDownloads: [URL: Download] = [:]
    public var downloadsSession: URLSession!

    public init() {}

    public func startDownload(_ track: Track) {
        let download = Download(track: track)
        download.task = downloadsSession.downloadTask(with: track.previewURL)
        download.task?.resume()
        download.isDownloading = true
        activeDownloads[download.track.previewURL] = download
    }

    public func pauseDownload(_ track: Track, then: (() -> Void)? = nil) {
        guard let download = activeDownloads[track.previewURL], download.isDownloading else {
            return
        }
        download.task?.cancel(byProducingResumeData: { data in
            download.resumeData = data
            then?()
        })
        download.isDownloading = false
    }

    public func resumeDownload(_ track: Track) {
        guard let download = activeDownloads[track.previewURL] else { return }
        if let resumeData = download.resumeData {
            download.task = downloadsSession.downloadTask(withResumeData: resumeData)
        } else {
            download.task = downloadsSession.downloadTask(with: download.track.previewURL)
        }
        download.task?.resume()
        download.isDownloading = true
    }

    public func cancelDownload(_ track: Track) {
        guard let download = activeDownloads[track.previewURL] else { return }
        download.task?.cancel()
        activeDownloads[track.previewURL] = nil
    }
}

public class SearchViewController: UIViewController, URLSessionDownloadDelegate {
    public let downloadService = DownloadService()
    let documentsPath: URL
    let server: URL
    public var shown: [String] = []
    public var onEnd: ((Error?) -> Void)?
    public var onProgress: (() -> Void)?

    lazy var downloadsSession: URLSession = {
        let configuration = URLSessionConfiguration.background(
            withIdentifier: "com.example.HalfTunes.bgSession", server: server)
        return URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    }()

    public init(server: URL, documents: URL) {
        self.server = server
        documentsPath = documents
    }

    public override func viewDidLoad() {
        super.viewDidLoad()
        downloadService.downloadsSession = downloadsSession
    }

    public func localFilePath(for url: URL) -> URL {
        documentsPath.appendingPathComponent(url.lastPathComponent)
    }

    public func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        guard let sourceURL = downloadTask.originalRequest?.url else { return }
        let download = downloadService.activeDownloads[sourceURL]
        downloadService.activeDownloads[sourceURL] = nil
        let destinationURL = localFilePath(for: sourceURL)
        let fileManager = FileManager.default
        try? fileManager.removeItem(at: destinationURL)
        do {
            try fileManager.copyItem(at: location, to: destinationURL)
            download?.track.downloaded = true
        } catch let error {
            print("Could not copy file to disk: \(error.localizedDescription)")
        }
    }

    public func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        guard let url = downloadTask.originalRequest?.url,
            let download = downloadService.activeDownloads[url]
        else { return }
        download.progress = Float(totalBytesWritten) / Float(totalBytesExpectedToWrite)
        let totalSize = ByteCountFormatter.string(
            fromByteCount: totalBytesExpectedToWrite, countStyle: .file)
        shown.append(String(format: "%.1f%% of %@", download.progress * 100, "\(totalSize)"))
        onProgress?()
    }

    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: Error?
    ) {
        onEnd?(error)
    }
}
