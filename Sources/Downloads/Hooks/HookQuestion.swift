package import Base

/// The question to a begin hook or to the hook of a receiver, read from its webhook.
package struct HookQuestion: Equatable, Sendable {
    /// The download.
    package let download: Identifier
    /// The number of the event.
    package let sequence: Int64
    /// The app's number.
    package let app: Int64
    /// Whether it is asked before a file is sent, not before the download begins.
    package let isBeforeSending: Bool
    /// The hook: its URL, the time for an answer, and the rule without one.
    package let hook: BeginHook

    /// Reads it from the webhook; nil for one that is no question to a hook.
    ///
    /// - Parameters:
    ///   - message: a webhook.
    ///   - url: where it goes.
    ///   - app: the app's number.
    package init?(_ message: WebhookMessage, to url: String, app: Int64) {
        guard message.type == .willBegin || message.type == .willSend,
            let download = Identifier(transfer: message.subject)
        else { return nil }
        let document: JSON
        do throws(JSONError) {
            document = try JSON.parse(message.body)
        } catch {
            return nil
        }
        guard let data = document["data"], let sequence = data["sequence"]?.integerValue,
            let hook = HookQuestion.hook(of: message.type, in: data), hook.url == url
        else { return nil }
        isBeforeSending = message.type == .willSend
        (self.download, self.sequence, self.app, self.hook) = (download, sequence, app, hook)
    }

    private static func hook(of type: EventType, in data: JSON) -> BeginHook? {
        let shown = type == .willSend ? data["destination"]?["hook"] : data["begin_hook"]
        return shown.flatMap(BeginHook.init(stored:))
    }
}
