// A part file as simulations see it: the version of each byte, and the bytes that were synced.

/// Bytes of versions, by place.
struct ModelFile {
    /// Bytes next to each other, of one version.
    struct Extent: Equatable {
        var range: Range<Int64>
        var version: Int
    }

    /// A version that no origin has: bytes that were put in the wrong place.
    static let garbage = -1

    /// The attempt whose fence is in the file's name.
    var fence: Int64
    private(set) var extents: [Extent] = []
    /// The content at the last syncs, by place; void where other bytes were written since.
    private(set) var synced: [Extent] = []
    /// The first byte that is missing.
    var written: Int64 = 0
    /// Up to here a checkpoint has synced it.
    var durable: Int64 = 0
    /// The ranges that were written while bytes before them were missing.
    var ahead: [Range<Int64>] = []

    init(fence: Int64) { self.fence = fence }

    mutating func write(_ range: Range<Int64>, _ version: Int) {
        guard !range.isEmpty else { return }
        extents = ModelFile.cut(extents, range)
        if let last = extents.last, last.version == version,
            last.range.upperBound == range.lowerBound
        {
            extents[extents.count - 1].range = last.range.lowerBound..<range.upperBound
        } else {
            extents.append(Extent(range: range, version: version))
        }
        synced = synced.flatMap { extent in
            extent.version == version ? [extent] : ModelFile.cut([extent], range)
        }
    }

    /// Writes as the service does: bytes whose beginning is complete are not overwritten.
    mutating func put(_ range: Range<Int64>, _ version: Int) {
        let start = max(range.lowerBound, written)
        guard start < range.upperBound else { return }
        write(start..<range.upperBound, version)
        ahead.append(start..<range.upperBound)
        while let next = ahead.first(where: { $0.lowerBound <= written && $0.upperBound > written })
        {
            written = next.upperBound
        }
        ahead.removeAll { $0.upperBound <= written }
    }

    private static func cut(_ extents: [Extent], _ range: Range<Int64>) -> [Extent] {
        extents.flatMap { extent -> [Extent] in
            let (start, end) = (extent.range.lowerBound, extent.range.upperBound)
            let before = start..<min(end, max(start, range.lowerBound))
            let behind = max(start, min(end, range.upperBound))..<end
            return [before, behind].filter { !$0.isEmpty }
                .map { Extent(range: $0, version: extent.version) }
        }
    }

    mutating func truncate(to length: Int64) {
        extents = ModelFile.cut(extents, length..<(.max))
        synced = ModelFile.cut(synced, length..<(.max))
        written = min(written, length)
        durable = min(durable, length)
    }

    /// Everything that is in the file is on the disk.
    mutating func sync() {
        synced = extents
        durable = max(durable, written)
    }

    /// The end of the last byte, whether or not bytes before it are missing.
    var length: Int64 { extents.reduce(0) { max($0, $1.range.upperBound) } }

    /// The end of the beginning that is complete.
    var end: Int64 { ModelFile.end(of: extents) }

    /// The end of the beginning that is complete and synced.
    var syncedEnd: Int64 { ModelFile.end(of: synced) }

    private static func end(of extents: [Extent]) -> Int64 {
        var end: Int64 = 0
        for extent in extents.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
        where extent.range.lowerBound <= end {
            end = max(end, extent.range.upperBound)
        }
        return end
    }

    /// The versions of all bytes before a place.
    func versions(before place: Int64) -> Set<Int> {
        Set(extents.filter { $0.range.lowerBound < place }.map(\.version))
    }

    /// Whether all bytes before a place that are here were synced as they are.
    func isSynced(before place: Int64) -> Bool {
        var open = extents.filter { $0.range.lowerBound < place }.map { extent in
            Extent(
                range: extent.range.lowerBound..<min(extent.range.upperBound, place),
                version: extent.version)
        }
        for extent in synced {
            open = open.flatMap {
                $0.version == extent.version ? ModelFile.cut([$0], extent.range) : [$0]
            }
        }
        return open.isEmpty
    }
}
