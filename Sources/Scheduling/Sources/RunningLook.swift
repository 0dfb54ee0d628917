package import Base
package import Downloads

/// The look of a source that has not ended.
package struct RunningLook: MemberList {
    /// The instant that it is for.
    package var dueAt: Timestamp
    /// Its download.
    package var download: Identifier
    /// Whether an order to stop was given to it.
    package var isEnding = false
    /// Whether it ends because the next look is due, so that it counts as failed.
    package var isGivenUp = false
    /// Whether it sends no validators.
    package var isFull = false
    /// Whether the source got another URL since it began, so that its result is not the source's.
    package var hasOldURL = false
    /// Whether the source got another template since it began, so that its validators are those of
    /// another request.
    package var hasOldTemplate = false
    /// Whether its download has begun an attempt; read from the queue, not stored.
    package var hasBegun = false
    /// Whether an attempt of its download has failed and the next one waits; read from the queue,
    /// not stored.
    package var hasFailed = false

    /// A look for an instant.
    package init(dueAt: Timestamp, download: Identifier) {
        (self.dueAt, self.download) = (dueAt, download)
    }

    /// The blank value that reading fills in.
    package static let blank = RunningLook(dueAt: .epoch, download: Identifier(high: 0, low: 0))

    /// The members as they are stored.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("due_at", &dueAt)
        members.visit("download", &download)
        members.visit("is_ending", &isEnding, usually: false)
        members.visit("is_given_up", &isGivenUp, usually: false)
        members.visit("is_full", &isFull, usually: false)
        members.visit("has_old_url", &hasOldURL, usually: false)
        members.visit("has_old_template", &hasOldTemplate, usually: false)
    }
}
