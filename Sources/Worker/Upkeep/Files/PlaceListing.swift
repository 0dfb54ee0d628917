// Reads the listing of a place page by page.
internal import Content

/// A walk through a place; a page that cannot be read ends it, and the next sweep reads it.
struct PlaceListing {
    private let place: any ContentPlace
    private let area: StoredArea
    private var cursor: String?
    private var isOver = false

    /// Begins at the first page.
    init(of place: any ContentPlace, _ area: StoredArea) {
        self.place = place
        self.area = area
    }

    /// The files of the next page; nil behind the last one.
    mutating func nextPage() async -> [StoredFile]? {
        guard !isOver else { return nil }
        do throws(PlaceError) {
            let page = try await place.list(area, after: cursor)
            cursor = page.next
            isOver = page.next == nil
            return page.files
        } catch {
            isOver = true
            return nil
        }
    }
}
