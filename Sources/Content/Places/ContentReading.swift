// Content that a place has opened.
internal import Crypto
package import Platform

/// Content that is open for reading, in one of three forms.
package enum ContentReading: Sendable {
    /// A whole file of this machine, which is sent without a copy; the reader takes the wished
    /// range out of it.
    case file(OpenContent)
    /// The wished bytes, piece by piece.
    case chunks(ContentChunks)
    /// An address at which the client reads the wished bytes itself; only if the wish allows it.
    case redirect(ContentRedirect)
}

extension ContentPlace {
    /// Computes the SHA-256 of content.
    ///
    /// - Parameters:
    ///   - name: as published.
    ///   - length: how long it is.
    ///   - lane: where a file is read.
    /// - Returns: 64 hexadecimal digits.
    /// - Throws: `missing`, also for content of another length; `unavailable`.
    package func digest(
        of name: ContentName, length: Int64, on lane: FileLane
    ) async throws(PlaceError) -> String {
        var hash = SHA256()
        switch try await open(name, ReadingWish()) {
        case .file(let file):
            return try await lane.run { () -> Result<String, PlaceError> in
                do throws(ContentError) {
                    return .success(try file.digest(length: length))
                } catch {
                    return .failure(PlaceError(error))
                }
            }.get()
        case .chunks(let chunks):
            var count: Int64 = 0
            while let piece = try await chunks.next() {
                hash.update(piece)
                count += Int64(piece.count)
            }
            guard count == length, chunks.length == length else {
                throw PlaceError(.missing, "the content has \(count) bytes instead of \(length)")
            }
            return hash.finalizeText()
        case .redirect:
            throw PlaceError(.unavailable, "the place offers an address where bytes were wanted")
        }
    }
}
