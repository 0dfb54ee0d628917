/// A song, as the catalogue tells it.
struct Track: Codable, Hashable, Sendable {
    let trackId: Int
    let trackName: String
    let artistName: String
    let previewUrl: String

    /// The name of its file.
    var file: String { previewUrl.split(separator: "/").last.map(String.init) ?? "song" }
}

/// What the catalogue answers to a search.
struct SearchAnswer: Codable {
    let resultCount: Int
    let results: [Track]
}
