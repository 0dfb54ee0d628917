// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// How many of its class begin before a download, by the forecast.
public struct PlaceInQueue: Codable, Hashable, Sendable {
    /// `class` of the API.
    public var `class`: String
    /// Downloads of its app.
    public var before: Int
    /// Downloads of other apps; without the scope `admin` rounded to one digit, such as 300.
    public var othersBefore: Int
    /// `is_estimate` of the API.
    public var isEstimate: Bool

    /// Makes one of its members; those that are left out are nil.
    public init(
        class: String,
        before: Int,
        othersBefore: Int,
        isEstimate: Bool
    ) {
        self.class = `class`
        self.before = before
        self.othersBefore = othersBefore
        self.isEstimate = isEstimate
    }

    private enum CodingKeys: String, CodingKey {
        case `class`
        case before
        case othersBefore = "others_before"
        case isEstimate = "is_estimate"
    }
}
