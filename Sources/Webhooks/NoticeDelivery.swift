// What messages to people need beside the delivery itself.
package import Downloads
internal import Store
package import Transfers

/// Makes messages to people from deliveries.
package struct NoticeDelivery: Sendable {
    /// The mail of the operator.
    package struct Mail: Sendable {
        /// Hands mails over.
        let client: MailClient
        /// The sender of all mails.
        let from: MailAddress

        /// Creates a value with all its members.
        package init(client: MailClient, from: MailAddress) {
            self.client = client
            self.from = from
        }
    }

    private let links: NoticeLinks
    /// The mail; nil if the operator has set none.
    let mail: Mail?

    /// Creates a value.
    ///
    /// - Parameters:
    ///   - links: the addresses of the service.
    ///   - mail: the operator's mail; nil for none.
    package init(
        links: NoticeLinks = NoticeLinks(base: "", hasPage: false), mail: Mail? = nil
    ) {
        self.links = links
        self.mail = mail
    }

    /// The message of a delivery.
    func notice(of delivery: DueDelivery) -> Notice {
        Notice(of: delivery.message, others: delivery.counted, links: links)
    }

    /// The request that delivers a message; nil for a webhook that is signed, and for mail.
    func request(of delivery: DueDelivery) -> NoticeRequest? {
        delivery.format.isForPeople
            ? NoticeRequest(notice(of: delivery), as: delivery.format) : nil
    }
}
