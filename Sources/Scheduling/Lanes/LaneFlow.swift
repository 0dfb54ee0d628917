/// The app, session and origin whose shares a download takes.
package struct LaneFlow: Hashable, Sendable {
    /// The app's number.
    package var app: Int64
    /// The session's number.
    package var session: Int64
    /// The origin's number.
    package var origin: Int64
    /// The app's weight, above 0.
    package var weight = 1.0
    /// The session's weight within its app, above 0.
    package var sessionWeight = 1.0

    /// Creates a flow with weights of 1.
    package init(app: Int64, session: Int64, origin: Int64) {
        self.app = app
        self.session = session
        self.origin = origin
    }
}
