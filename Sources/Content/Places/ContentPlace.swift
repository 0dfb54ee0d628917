// The seam between the content of downloads and the place where it lies.
package import Base
package import Downloads

/// A place in which the content of ended downloads lies: a folder, or an object store.
///
/// Bytes arrive in a `PartFile` of the data directory, or in memory. A place takes them over when
/// their length and digest are proved, under a name that no other attempt has. From then on
/// readers, sweeps and shared transfers reach the content through these members alone.
///
/// Each call may be repeated, also in another process: repeating it changes nothing that the first
/// call did. A call whose answer was lost is therefore made again. No call blocks its executor.
package protocol ContentPlace: Sendable {
    /// The identifier by which rows refer to the place.
    ///
    /// A folder that only one replica reads has the identifier of its data directory. A place that
    /// all replicas read has one identifier for all of them, so none asks another for content.
    var identifier: Identifier { get }

    /// Whether content takes room on the volume of the data directory.
    var isOnDataVolume: Bool { get }

    /// Makes complete bodies durable under their names, each of them whole or not at all.
    ///
    /// A body is visible to `open` only when the place has all bytes and they have the length and
    /// the digest. A place may take long over a body: it answers `underway` then and continues by
    /// itself or with the next call.
    ///
    /// - Parameter batch: any number of bodies, each once; those that were not settled are named
    ///   again with the same values.
    /// - Returns: an answer for each body, in order.
    func publish(_ batch: [FinishedContent]) async -> [Publication]

    /// Opens content for reading.
    ///
    /// - Parameters:
    ///   - name: as published.
    ///   - wish: the bytes that are wanted, and whether the reader can follow a redirect.
    /// - Returns: the reading in the form that costs the place least.
    /// - Throws: `missing` if the place says that it has no such content; `unavailable`.
    func open(_ name: ContentName, _ wish: ReadingWish) async throws(PlaceError) -> ContentReading

    /// Removes content; what was opened before may be read to its end.
    ///
    /// - Parameter names: as published; content that is not there counts as removed.
    /// - Returns: an answer for each name, in order.
    func remove(_ names: [ContentName]) async -> [Removal]

    /// Gives content further names, each of which is removed without the others.
    ///
    /// - Parameters:
    ///   - name: as published.
    ///   - others: the further names; leftovers of a crash under them are replaced.
    ///   - length: of the content.
    /// - Throws: `missing` if the content is not there or is shorter; else `full`, `unavailable`.
    ///   Names that were made stay for the sweep.
    func share(
        _ name: ContentName, as others: [ContentName], length: Int64
    ) async throws(PlaceError)

    /// Looks for content that rows name, also in quarantine, from which it is taken back.
    ///
    /// - Parameter wanted: the names and lengths.
    /// - Returns: an answer for each, in order. `missing` is the place's own answer; while it does
    ///   not answer, all content is `unreadable`.
    func sight(_ wanted: [WantedContent]) async -> [MissingFiles.Presence]

    /// Continues without the content that is missing, because an operator says that it will not
    /// come back.
    ///
    /// - Throws: `full` or `unavailable`.
    func giveUpMissing() async throws(PlaceError)

    /// Lists a part of what lies in the place, in any order; the quarantine oldest hour first.
    ///
    /// Content that appears or goes during the listing may be left out.
    ///
    /// - Parameters:
    ///   - area: content and unfinished files, or the quarantine.
    ///   - cursor: the `next` of the last page; nil for the first page.
    /// - Returns: the page.
    /// - Throws: `unavailable`.
    func list(_ area: StoredArea, after cursor: String?) async throws(PlaceError) -> StoredPage

    /// Removes listed files, except for one that an attempt in this process is writing.
    ///
    /// - Parameter files: as listed.
    /// - Returns: the files that were there and are removed.
    func clear(_ files: [StoredFile]) async -> [StoredFile]

    /// Moves listed files into the quarantine, where no reader finds them.
    ///
    /// - Parameters:
    ///   - files: as listed.
    ///   - hour: since 1970, by the database's clock.
    /// - Returns: the files that are in the quarantine now.
    func isolate(_ files: [StoredFile], since hour: Int64) async -> [StoredFile]

    /// Moves files of the quarantine back.
    ///
    /// - Parameter files: as listed.
    /// - Returns: the files that are back; a file whose name is taken stays in the quarantine.
    func takeBack(_ files: [StoredFile]) async -> [StoredFile]
}
