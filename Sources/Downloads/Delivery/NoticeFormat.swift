/// The form in which an endpoint gets events: as signed webhooks, or as messages to people.
package enum NoticeFormat: String, Sendable, CaseIterable {
    /// Signed webhooks of Standard Webhooks 1.0.
    case standard
    /// Messages for an incoming webhook of Slack, or of a chat with the same form.
    case slack
    /// Messages for a webhook of Discord.
    case discord
    /// Messages for a topic of ntfy.
    case ntfy
    /// Mail to one address.
    case email

    /// Whether its messages are for people: without a signature, and at most one a minute.
    package var isForPeople: Bool { self != .standard }

    /// The events that are never told to people: `session.wake` waits for a program's answer, and
    /// progress is not news.
    package static let untold: [EventType] = [.sessionWake, .progress]
}
