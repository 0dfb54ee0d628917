// The listing of a place, page by page.

/// A page of the listing of a place.
package struct StoredPage: Sendable {
    /// The files of the page; there may be none although further pages follow.
    package let files: [StoredFile]
    /// The cursor of the next page, in the place's own words; nil on the last page.
    package let next: String?

    /// Creates a value with all its members.
    package init(files: [StoredFile], next: String?) {
        self.files = files
        self.next = next
    }
}
