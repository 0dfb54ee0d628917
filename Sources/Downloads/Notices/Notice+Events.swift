// The texts of messages to people, by event.
internal import Base

extension Notice {
    /// The message about an event.
    ///
    /// - Parameters:
    ///   - message: the event, as a webhook has it.
    ///   - others: the number of other events that the message only counts.
    ///   - links: the addresses of the service.
    package init(of message: WebhookMessage, others: Int, links: NoticeLinks) {
        let facts = EventFacts(message)
        let words: (title: String, reason: String?, link: String?)
        switch message.type.subject {
        case .endpoint, .delivery: words = Notice.words(ofReceivers: message.type, facts, links)
        case .session:
            words = (
                Notice.happening(message, facts.identifier), nil, links.session(facts.identifier)
            )
        case .source: words = Notice.words(ofSource: message.type, facts, links)
        default:
            words = (
                Notice.title(ofTransfer: message, facts),
                Notice.reason(ofTransfer: message.type, facts), links.transfer(message.subject)
            )
        }
        self.init(
            title: words.title, reason: words.reason, link: words.link, others: others)
    }

    /// A title for an event that has no words of its own, such as `drained: nightly`.
    private static func happening(_ message: WebhookMessage, _ name: String) -> String {
        let word = message.name.drop { $0 != "." }.dropFirst()
            .split(separator: "_").joined(separator: " ")
        return "\(word.prefix(1).uppercased())\(word.dropFirst()): \(name)"
    }

    private static func title(ofTransfer message: WebhookMessage, _ facts: EventFacts) -> String {
        let isUpload = message.name != message.type.name
        let name = facts.fileName
        switch message.type {
        case .succeeded where isUpload: return "Sent: \(name)"
        case .succeeded:
            return facts["unchanged"] == nil ? "Downloaded: \(name)" : "Has not changed: \(name)"
        case .attentionRequired: return "Needs somebody: \(name)"
        case .deadlineAtRisk: return "Will probably be late: \(name)"
        default: return happening(message, name)
        }
    }

    private static func reason(ofTransfer type: EventType, _ facts: EventFacts) -> String? {
        switch type {
        case .failed, .attentionRequired, .retryScheduled: facts.failure
        case .canceled:
            switch facts["cancel_reason"].flatMap(CancelReason.init(rawValue:)) {
            case .forceQuit: "its session was ended"
            case .replaced: "another download replaced it"
            case .clientGone: "its client is gone"
            case .beginHook: "its begin hook asked for it"
            case .nextLook: "the next look of its source was due"
            case nil: "somebody asked for it"
            }
        case .deadlineAtRisk:
            (facts["complete_by"] ?? facts["begin_deadline"]).map { "it was to be done by \($0)" }
        case .contentExpiring: "its file will soon be removed"
        default: facts.size.map { "\(ByteCount.short($0)) from \(facts.host)" }
        }
    }

    private static func words(
        ofSource type: EventType, _ facts: EventFacts, _ links: NoticeLinks
    ) -> (title: String, reason: String?, link: String?) {
        let name = facts.identifier
        let link = facts["download"].flatMap(links.transfer) ?? links.source(name)
        switch type {
        case .sourceChanged:
            let version = facts.number("version").map { "version \($0) of " } ?? ""
            return ("New version: \(name)", "\(version)\(facts.fileName) from \(facts.host)", link)
        case .sourceFailing:
            let count = facts.number("failures").map { "\($0) failed looks in a row: " } ?? ""
            return (
                "Needs somebody: \(name)", count + (facts["reason"] ?? "it could not be fetched"),
                link
            )
        case .sourceSkipped:
            return ("Passed over: \(name)", facts["reason"].map { "because of \($0)" }, link)
        default: return ("Has not changed: \(name)", facts.host, link)
        }
    }

    private static func words(
        ofReceivers type: EventType, _ facts: EventFacts, _ links: NoticeLinks
    ) -> (title: String, reason: String?, link: String?) {
        switch type {
        case .endpointPing:
            return ("Lull reaches you", facts["description"] ?? "This is a test.", links.receivers)
        case .endpointDisabled:
            let why = facts["disabled_reason"] == "gone" ? "it answered 410" : "it kept failing"
            return ("A receiver is disabled: \(facts.host)", why, links.receivers)
        default:
            let tries = facts.number("attempts").map { " after \($0) tries" } ?? ""
            let status = facts.number("http_status").map { "; the last answer was \($0)" } ?? ""
            return (
                "A webhook was given up: \(facts.host)", "nothing took it\(tries)\(status)",
                facts["download"].flatMap(links.transfer) ?? links.receivers
            )
        }
    }
}

/// The members of an event's `data` that messages speak of.
private struct EventFacts {
    private let data: JSONObject

    init(_ message: WebhookMessage) {
        do throws(JSONError) {
            data = try JSON.parse(message.body)["data"]?.objectValue ?? JSONObject()
        } catch {
            data = JSONObject()
        }
    }

    subscript(name: String) -> String? { data[name]?.stringValue }

    func number(_ name: String) -> Int64? { data[name]?.integerValue }

    /// The client's name of a session or source.
    var identifier: String { self["identifier"] ?? "" }

    private var url: SourceURL? {
        do throws(SourceURLError) {
            return try self["url"].map { text throws(SourceURLError) in
                try SourceURL(parsing: text)
            }
        } catch {
            return nil
        }
    }

    /// The host alone, because paths and queries may have secrets.
    var host: String { url?.host ?? self["url"].flatMap { MailAddress(url: $0)?.text } ?? "" }

    /// The name of the file: its own, the client's, or the last part of the URL's path.
    var fileName: String {
        let named = self["filename"] ?? self["task_description"]
        return named ?? data["response"]?["suggested_filename"]?.stringValue
            ?? url.map { SuggestedFilename.choose(contentDisposition: nil, path: $0.target) }
            ?? self["id"] ?? ""
    }

    /// The length of the file in bytes; nil if it is not known.
    var size: Int64? { data["content"]?["length"]?.integerValue ?? number("length") }

    /// The failure with its code.
    var failure: String? {
        guard let error = data["error"]?.objectValue else { return nil }
        let code = error["code"]?.stringValue ?? "failed"
        return error["detail"]?.stringValue.map { "\(code): \($0)" } ?? code
    }
}
