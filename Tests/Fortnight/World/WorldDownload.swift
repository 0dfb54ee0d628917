/// A download of a world: the facts that its client gives, and those that only the world knows.
struct WorldDownload: Codable, Sendable {
    /// Its place in the order of creation.
    let number: Int
    /// The minute of its creation.
    let created: Int
    /// The origin's number.
    let origin: Int
    /// Its real size in bytes.
    let bytes: Double
    /// The size that the client gave, or nil.
    let expected: Double?
    let isDiscretionary: Bool
    /// The minute by which it should be complete, or nil.
    let completeBy: Int?
    /// Whether its origin honours ranges.
    let isResumable: Bool

    /// The minute that counts as its deadline: undated discretionary work gets two days.
    var deadline: Int { completeBy ?? created + (isDiscretionary ? 48 : 4) * 60 }
}
