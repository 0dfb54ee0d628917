// Deliveries by mail.
internal import Base
internal import Downloads
internal import Platform
internal import Store
internal import Transfers

extension WebhookSender {
    /// Sends a delivery by mail; the status is the code of the mail server's answer.
    ///
    /// The delivery does not repeat the server's words, because apps read it.
    func mail(_ delivery: DueDelivery) async -> DeliveryOutcome {
        guard let mail = notices.mail else {
            return .postponed(error: "this service sends no mail: see LULL_SMTP_URL")
        }
        guard let to = MailAddress(url: delivery.url) else {
            return .giveUp(status: nil, error: "the address of the mail cannot be used")
        }
        let message = MailMessage(
            from: mail.from, to: to, notice: notices.notice(of: delivery),
            id: delivery.id.text(.delivery).lowercased(),
            date: Timestamp(microseconds: SystemClock.wallMicroseconds()))
        switch await mail.client.send(message, timeout: settings.timeout) {
        case .sent: return .delivered(status: 250)
        case .refused(let code):
            return .retry(
                status: code, retryAfter: nil, error: "the mail server answered \(code)")
        case .unreached(let detail):
            log.warn("mail server not reached", [("error", .string(detail))])
            return .retry(status: nil, retryAfter: nil, error: "the mail server was not reached")
        }
    }
}
