public import Foundation
internal import LullClient

/// A `session.wake` that the service sent to this program: what
/// `handleEventsForBackgroundURLSession` is to an app.
///
/// Answer the request with 202, make the session of `identifier` if it is not there, and call
/// `completionHandler` after `urlSessionDidFinishEvents`.
public struct URLSessionWake: Sendable {
    /// Why a request is not a wake.
    public enum Refusal: Error, Hashable, Sendable {
        /// It is not signed by the secret, or too old; answer it with 401.
        case notGenuine
        /// It is another event; answer it with 204.
        case anotherEvent(String)
    }

    /// The session that has news.
    public let identifier: String
    /// Says that the work is done; without it the service wakes again.
    public let completionHandler: @Sendable () -> Void

    /// Verifies a request of the service.
    ///
    /// - Parameters:
    ///   - body: the bytes as they came.
    ///   - headers: the header fields; the case of their names does not count.
    ///   - secret: `whsec_…` of the receiver.
    ///   - server: the service; nil for that of `LULL_SERVER`.
    /// - Throws: why it is not a wake.
    public init(
        body: Data, headers: [String: String], secret: String, server: URL? = nil
    ) throws(Refusal) {
        let webhook: Webhook
        do {
            webhook = try Webhook.verify(body: body, headers: headers, secret: secret)
        } catch {
            throw .notGenuine
        }
        guard webhook.event.type == .sessionWake, let session = webhook.event.data.session,
            let token = session.wakeToken
        else { throw .anotherEvent(webhook.event.type.rawValue) }
        identifier = session.identifier
        // The token is the key of this call.
        let lull = Lull(server: server ?? Lull().server)
        let completion = WakeCompletion(lull: lull, token: token)
        completionHandler = { completion.complete() }
    }
}
