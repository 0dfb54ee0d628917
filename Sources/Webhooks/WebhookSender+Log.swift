// Logs and counts tries of webhooks.
internal import Base
internal import Downloads
internal import Platform
internal import Store

extension WebhookSender {
    /// The fields of a try in the log.
    func fields(
        _ delivery: DueDelivery, _ milliseconds: Int64, _ status: Int?
    ) -> [(String, LogValue)] {
        let subject = delivery.type.subject == .download ? "download_id" : "subject"
        var fields: [(String, LogValue)] = [
            ("delivery_id", .string(delivery.id.text(.delivery))),
            (subject, .string(delivery.message.subject)),
            ("event_id", .string(delivery.message.id)),
            ("type", .string(delivery.message.name)),
            ("host", .string(WebhookSender.host(of: delivery.url))),
            ("attempt", .integer(Int64(delivery.attempt))), ("duration_ms", .integer(milliseconds)),
        ]
        if let endpoint = delivery.endpoint {
            fields.append(("endpoint_id", .string(endpoint.text(.endpoint))))
        }
        if delivery.format.isForPeople {
            fields.append(("format", .string(delivery.format.rawValue)))
            fields.append(("counted", .integer(Int64(delivery.counted))))
        }
        if let status { fields.append(("status", .integer(Int64(status)))) }
        if let id = delivery.requestID { fields.append(("request_id", .string(id))) }
        if let trace = delivery.message.traceparent {
            fields.append(("trace_id", .string(TraceParent.traceID(of: trace))))
        }
        return fields
    }

    /// The host only, because paths and queries may have secrets.
    private static func host(of url: String) -> String {
        if let address = MailAddress(url: url) { return address.domain }
        do throws(SourceURLError) {
            return try SourceURL(parsing: url).host
        } catch {
            return "unreadable"
        }
    }

    func note(_ effects: DeliveryEffects) {
        for gone in effects.gone { note(gone) }
        for (id, reason) in effects.disabled {
            tally.countDisabled(reason)
            log.warn(
                "webhook endpoint disabled",
                [("endpoint_id", .string(id.text(.endpoint))), ("reason", .string(reason))])
        }
        guard effects.overdue > 0 else { return }
        tally.count(.exhausted, effects.overdue)
        log.warn(
            "webhooks given up, because their receivers do not answer",
            [("count", .integer(Int64(effects.overdue)))])
    }

    private func note(_ gone: ReceiverGone) {
        tally.count(.abandoned, Int(gone.ended))
        tally.countGone()
        log.warn(
            "webhook receiver answered 410 Gone, so nothing is sent to it for a while",
            [
                ("app", .integer(gone.app)),
                ("url", .string(String(gone.url.prefix { $0 != "?" }))),
                ("until", .string(gone.until.rfc3339)), ("given_up", .integer(gone.ended)),
            ])
    }
}
