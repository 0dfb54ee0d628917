// Sends mail by libcurl's SMTP.
internal import Dispatch
package import Downloads
internal import Platform
internal import Synchronization

/// Hands mails to the operator's server, a few at a time, each over a connection of its own.
///
/// A mail keeps a thread of these lanes until its end: there are few of them, at most one a minute
/// for each endpoint. Callers wait in the queues of the lanes and bound how many they are.
package final class MailClient: Sendable {
    /// The number of mails that are sent at once.
    private static let lanesAtOnce = 4

    private let server: MailServer
    private let certificateFile: String?
    private let lanes: [DispatchQueue]
    private let next = Mutex(0)

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - server: the operator's server, which is not judged by the rules for destinations.
    ///   - certificateFile: the trusted authorities; nil for those of the system.
    package init(server: MailServer, certificateFile: String?) {
        self.server = server
        self.certificateFile = certificateFile
        lanes = (0..<MailClient.lanesAtOnce).map { DispatchQueue(label: "lull.mail.\($0)") }
    }

    /// Sends a mail.
    ///
    /// - Parameters:
    ///   - mail: the message.
    ///   - timeout: the longest time for the dialogue with the server.
    /// - Returns: how it ended.
    package func send(_ mail: MailMessage, timeout: Duration) async -> MailResult {
        let lane = next.withLock { number in
            number = (number + 1) % lanes.count
            return lanes[number]
        }
        return await withCheckedContinuation { continuation in
            lane.async { [server, certificateFile] in
                guard let handle = MailHandle(mail, to: server, certificateFile: certificateFile)
                else { return continuation.resume(returning: .unreached("out of memory")) }
                continuation.resume(returning: handle.perform(timeout: timeout))
            }
        }
    }
}
