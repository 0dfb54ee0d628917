/// An upload in parts that a listing has found.
package struct ListedUpload: Sendable, Equatable {
    /// Its name.
    package var name: UploadName
    /// The time at which it began, seconds since 1970 by the store's clock.
    package var begunAt: Int64

    /// Creates a value with all its members.
    package init(name: UploadName, begunAt: Int64) {
        self.name = name
        self.begunAt = begunAt
    }
}
