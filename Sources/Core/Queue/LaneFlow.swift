/// Whose share a download takes.
package struct LaneFlow: Hashable, Sendable {
    /// The app's number.
    package var app: Int64
    /// The session's number.
    package var session: Int64
    /// The origin's number.
    package var origin: Int64
    /// The app's part, above 0.
    package var weight = 1.0
    /// The session's part of its app's, above 0.
    package var sessionWeight = 1.0

    /// Names the three, with the weights 1.
    package init(app: Int64, session: Int64, origin: Int64) {
        self.app = app
        self.session = session
        self.origin = origin
    }
}
