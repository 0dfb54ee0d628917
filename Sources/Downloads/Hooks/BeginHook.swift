// The receiver that is asked before a download with a date begins, so that it begins with a fresh
// request.
internal import Base

/// The `begin_hook` of a download or its session.
package struct BeginHook: MemberList {
    /// The rule for a receiver that does not answer.
    package enum Silence: String, Sendable, CaseIterable, MemberValue {
        /// The download begins as it is.
        case `continue`
        /// The receiver is asked again, by the schedule of webhooks.
        case wait
        /// The download is canceled.
        case cancel
    }

    /// The URL of the receiver.
    package var url: String
    /// The time for an answer, in seconds; 1 to 60.
    package var timeout: Int64 = 10
    /// The rule for a receiver that does not answer.
    package var onNoAnswer = Silence.continue

    /// The blank value that reading fills in.
    package static let blank = BeginHook(url: "")

    /// A hook with the default values.
    package init(url: String) { self.url = url }

    /// Reads a hook; nil for none, or for a refused one.
    ///
    /// - Parameters:
    ///   - reader: takes the findings.
    ///   - key: the member that has it.
    init?(reading reader: inout FieldReader, at key: String = "begin_hook") {
        guard let value = reader.value(key) else { return nil }
        guard let object = value.objectValue else {
            reader.refuse(key, "must be an object with a url")
            return nil
        }
        var part = FieldReader(object, at: reader.pointer(key))
        let url = part.string("url", maximumLength: 8192)
        if let url, !url.hasPrefix("https://"), !url.hasPrefix("http://") {
            part.refuse("url", "must begin with https:// or http://")
        }
        if url == nil, object["url"]?.isNull ?? true { part.refuse("url", "is required") }
        timeout = part.integer("timeout_seconds", in: 1...60) ?? 10
        if let rule = part.word("on_no_answer", of: Silence.self) { onNoAnswer = rule }
        // These members are secrets, which `ReceiverRequest` reads.
        for name in ReceiverRequest.members { _ = part.value(name) }
        let errors = part.finish()
        reader.adopt(errors)
        guard errors.isEmpty, let url else { return nil }
        self.url = url
    }

    /// The hook for clients: its members, and the names of the fields and credentials for it.
    func shown(_ request: RequestShape) -> JSON {
        guard request.hasSecrets, var shown = tree.objectValue else { return tree }
        shown.append("headers", RequestShape.redacted(request.headerNames))
        shown.append("authorization", request.shownAuthorization)
        return .object(shown)
    }

    /// The members.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("url", &url)
        members.visit("timeout_seconds", &timeout)
        members.visit("on_no_answer", &onNoAnswer)
    }
}
