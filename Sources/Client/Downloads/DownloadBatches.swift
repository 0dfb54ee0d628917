// Creating many downloads in batches of up to a thousand, each completely or not at all.
internal import Base

/// Sends the downloads of a list to the service.
struct DownloadBatches {
    /// The most downloads of a batch.
    private static let batchAtMost = 1000

    let context: ClientContext
    /// The members of all downloads.
    let members: JSONObject
    /// The name of the list; nil for URLs of the command line.
    let file: String?

    /// Creates the downloads.
    ///
    /// - Parameters:
    ///   - entries: the downloads.
    ///   - query: parameters of the requests.
    ///   - take: takes each entry with its document, in order, once its batch was created.
    /// - Throws: `ClientFailure`, with the line and the number of downloads that are queued.
    func create(
        _ entries: [DownloadList.Entry], query: [(name: String, value: String)] = [],
        _ take: (DownloadList.Entry, JSON) throws(ClientFailure) -> Void
    ) throws(ClientFailure) {
        for start in stride(from: 0, to: entries.count, by: DownloadBatches.batchAtMost) {
            let part = entries[start..<min(start + DownloadBatches.batchAtMost, entries.count)]
            let documents = try create(part, after: start, query)
            for (entry, document) in zip(part, documents) { try take(entry, document) }
        }
    }

    private func create(
        _ part: ArraySlice<DownloadList.Entry>, after count: Int,
        _ query: [(name: String, value: String)]
    ) throws(ClientFailure) -> [JSON] {
        let body: JSON = [
            "defaults": .object(members), "downloads": .array(part.map { .object($0.members) }),
        ]
        let command = context.arguments.command
        if file != nil || part.count > 1 {
            context.transport.words = PlaceWords(
                command, file: file ?? "URL", lines: part.map(\.line))
        }
        defer { context.transport.words = PlaceWords(command) }
        do throws(ClientFailure) {
            let answer = try context.post("/v1/downloads/batch", body: body, query: query).json()
            let documents = answer["data"]?.arrayValue ?? []
            guard documents.count == part.count else {
                throw ClientFailure("the program that answers there is not Lull", .notReached)
            }
            return documents
        } catch {
            guard count > 0, error.status != .interrupted else { throw error }
            throw error.adding("; the \(count) downloads before this part of the list are queued")
        }
    }
}
