// The answers of a begin hook.
package import Base

/// The answer to `download.will_begin` or `download.will_send`.
package enum BeginAnswer: Equatable, Sendable {
    /// The download begins as it is.
    case continueLoading
    /// The download begins with a new request: some of the members in ``members``.
    case useNewRequest(JSONObject)
    /// The download is canceled.
    case cancel

    /// The word for it in the answer.
    package var disposition: String {
        switch self {
        case .continueLoading: "continue_loading"
        case .useNewRequest: "use_new_request"
        case .cancel: "cancel"
        }
    }

    /// The words for all answers.
    package static let dispositions = ["continue_loading", "use_new_request", "cancel"]

    /// The members that a new request may have.
    package static let members = ["url", "expected_digest"] + RequestMembers.changeable
    /// The members that a new request to a receiver may have.
    package static let sendingMembers = ["url", "method"] + ReceiverRequest.members
    /// The most bytes of an answer.
    package static let bytesAtMost = 65_536

    /// Reads the body of a 2xx: an empty one means that the download begins as it is, nil is the
    /// result for anything else that is no answer.
    ///
    /// - Parameters:
    ///   - body: the bytes.
    ///   - isBeforeSending: whether the question was about a request to a receiver.
    package init?(_ body: [UInt8], isBeforeSending: Bool = false) {
        guard !body.isEmpty else {
            self = .continueLoading
            return
        }
        let document: JSON
        do throws(JSONError) {
            document = try JSON.parse(body)
        } catch {
            return nil
        }
        guard let object = document.objectValue else { return nil }
        switch object["disposition"]?.stringValue {
        case "continue_loading": self = .continueLoading
        case "cancel": self = .cancel
        case "use_new_request":
            let known = isBeforeSending ? BeginAnswer.sendingMembers : BeginAnswer.members
            guard let request = object["request"]?.objectValue, !request.isEmpty,
                request.members.allSatisfy({ known.contains($0.key) })
            else { return nil }
            self = .useNewRequest(request)
        default: return nil
        }
    }
}
