// Bringing the contents of several downloads into local files at once.
internal import Base
internal import Platform

/// Fetches contents, some at once, and gives each its name in a folder.
final class ContentSaver {
    /// A content that is to be saved.
    struct Item {
        /// The download.
        let view: DownloadView
        /// Its document.
        let document: JSON
        /// The folder.
        let folder: String
        /// The name that was asked for; nil for that of the download.
        var name: String?
    }

    /// How the saving of one content ended.
    enum Outcome {
        /// It is in the file at the path.
        case saved(String)
        /// A file with these bytes had the name already.
        case isThere(String)
        /// It could not be saved.
        case failed(ClientFailure)
    }

    private let context: ClientContext
    private let atOnce: Int
    private let overwrites: Bool
    private let setsTime: Bool
    private var waiting: [Item] = []
    private var active: [(item: Item, path: String, transfer: ContentTransfer)] = []
    private var taken: Set<String> = []
    /// The bytes of the contents that were saved.
    private(set) var savedBytes: Int64 = 0

    /// Creates a saver with nothing to do.
    ///
    /// - Parameters:
    ///   - context: of the command, whose `--overwrite` and `--no-mtime` count.
    ///   - atOnce: the most contents that are fetched at once.
    init(_ context: ClientContext, atOnce: Int) {
        self.context = context
        self.atOnce = atOnce
        overwrites = context.arguments.has("--overwrite")
        setsTime = !context.arguments.has("--no-mtime")
    }

    /// Whether all is done.
    var isIdle: Bool { waiting.isEmpty && active.isEmpty }

    /// The progress of what is fetched now.
    var bars: [ProgressBar] { active.map(\.transfer.bar) }

    /// Adds a content.
    func add(_ item: Item) { waiting.append(item) }

    /// Advances as far as is possible without waiting.
    ///
    /// - Parameter end: called for each file that was written or has failed.
    /// - Throws: what `end` throws, and `ClientFailure.interrupted`.
    func step(
        _ end: (Item, Outcome) throws(ClientFailure) -> Void
    ) throws(ClientFailure) {
        while active.count < atOnce, !waiting.isEmpty {
            let item = waiting.removeFirst()
            if let outcome = try begin(item) { try end(item, outcome) }
        }
        let present = active
        active = []
        for entry in present {
            if let outcome = try advance(entry) {
                try end(entry.item, outcome)
            } else {
                active.append(entry)
            }
        }
    }

    /// Begins a transfer; the outcome if there is nothing to do, or it cannot begin.
    private func begin(_ item: Item) throws(ClientFailure) -> Outcome? {
        do throws(ClientFailure) {
            let (path, isThere) = try place(of: item)
            if isThere { return .isThere(path) }
            let file = try ContentFile(path, overwrites: overwrites, of: item.view)
            active.append((item, path, ContentTransfer(context, item.view, into: file)))
            return nil
        } catch {
            guard error.status != .interrupted else { throw error }
            return .failed(error)
        }
    }

    /// Advances a transfer; nil while it goes on.
    private func advance(
        _ entry: (item: Item, path: String, transfer: ContentTransfer)
    ) throws(ClientFailure) -> Outcome? {
        do throws(ClientFailure) {
            guard try entry.transfer.step() else { return nil }
            let path = try finish(entry)
            savedBytes += entry.transfer.file.length
            return .saved(path)
        } catch {
            guard error.status != .interrupted else { throw error }
            return .failed(error)
        }
    }

    /// Gives a complete file its name; where another file has got it meanwhile, the next one.
    private func finish(
        _ entry: (item: Item, path: String, transfer: ContentTransfer)
    ) throws(ClientFailure) -> String {
        let file = entry.transfer.file
        if setsTime, let modified = entry.item.document.lastModified(now: context.now) {
            file.setModified(modified)
        }
        var path = entry.path
        while true {
            let isPlaced = try file.place(
                sha256: entry.item.view.sha256, overwrites: overwrites, as: path)
            if isPlaced { return path }
            path = try place(of: entry.item).path
        }
    }

    /// A path that no other file and no other content has, or that of a file with these bytes.
    private func place(of item: Item) throws(ClientFailure) -> (path: String, isThere: Bool) {
        let name = LocalName.safe(item.name ?? item.view.name)
        var number = 1
        while true {
            let path = LocalName.path(LocalName.numbered(name, number), in: item.folder)
            number += 1
            guard taken.insert(path).inserted else { continue }
            guard let (length, isRegular) = LocalFile.facts(path) else { return (path, false) }
            if isRegular, length == item.view.length, let sha256 = item.view.sha256 {
                let file = try LocalFile(path)
                if try file.digest(everyStep: { _ in }) == sha256 { return (path, true) }
            }
            if overwrites, isRegular { return (path, false) }
        }
    }
}
