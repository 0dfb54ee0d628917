// What a begin hook answered.

/// The answer to `download.will_begin`.
package enum BeginAnswer: Equatable, Sendable {
    /// It begins as it is.
    case continueLoading
    /// It begins with other members, of those in ``members``.
    case useNewRequest(JSONObject)
    /// It is canceled.
    case cancel

    /// Its name in the answer.
    package var disposition: String {
        switch self {
        case .continueLoading: "continue_loading"
        case .useNewRequest: "use_new_request"
        case .cancel: "cancel"
        }
    }

    /// All names.
    package static let dispositions = ["continue_loading", "use_new_request", "cancel"]

    /// The members that a new request may have.
    package static let members = ["url", "expected_digest"] + RequestMembers.changeable
    /// An answer is no longer.
    package static let bytesAtMost = 65_536

    /// Reads the body of a 2xx; without one it begins as it is.
    ///
    /// - Returns: nil for what is no answer.
    package init?(_ body: [UInt8]) {
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
            guard let request = object["request"]?.objectValue, !request.isEmpty,
                request.members.allSatisfy({ BeginAnswer.members.contains($0.key) })
            else { return nil }
            self = .useNewRequest(request)
        default: return nil
        }
    }
}
