// Conditional requests (RFC 9110 section 13).
internal import Base
internal import HTTPWire

/// The present state of the resource, with which the conditions of a request are compared.
struct Representation: Sendable {
    /// Its entity tag.
    let tag: EntityTag
    /// The time at which it changed last, whole seconds.
    ///
    /// Nil if the API sends no such date; conditions of time are ignored then.
    var modified: Timestamp?
    /// Whether `*` matches it.
    ///
    /// A default document can be read before one is stored, but does not exist (If-Match: *).
    var isStored = true
    /// The number before the hyphen of the tag, if `If-Match` compares only that.
    var sequence: Int64?

    /// Whether a tag of `If-Match` matches it.
    func isNamed(by other: EntityTag) -> Bool {
        guard let sequence else { return other.isSame(as: tag) }
        // docs/decisions/conditions-of-requests.md
        let parts = other.opaque.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0] == "\(sequence)"
            && !parts[1].isEmpty && parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

/// The conditions of a request (RFC 9110 section 13.1), in the order of section 13.2.2.
///
/// `If-Range` is evaluated with the range.
struct Preconditions: Sendable, Equatable {
    /// The result of the conditions.
    enum Verdict: Equatable, Sendable {
        /// The request is performed.
        case holds
        /// The answer is 304: the client has this representation.
        case notModified
        /// The answer is 412: this field does not hold.
        case failed(String)
    }

    private let match: EntityTagCondition?
    private let noneMatch: EntityTagCondition?
    private let unmodifiedSince: String?
    private let modifiedSince: String?
    private let isSafe: Bool
    private let hidesTag: Bool

    /// Reads the conditions of a request; `hidesTag` keeps the present tag out of refusals.
    init(_ request: Request, hidesTag: Bool = false) {
        self.hidesTag = hidesTag
        let headers = request.headers
        match = EntityTagCondition.read(headers.all("If-Match"))
        noneMatch = EntityTagCondition.read(headers.all("If-None-Match"))
        unmodifiedSince = Preconditions.only(headers.all("If-Unmodified-Since"))
        modifiedSince = Preconditions.only(headers.all("If-Modified-Since"))
        isSafe = request.method == "GET" || request.isHead
    }

    /// Whether the request has no conditions.
    private var isEmpty: Bool {
        match == nil && noneMatch == nil && unmodifiedSince == nil && modifiedSince == nil
    }

    /// Whether the client sent the tag of a representation that it has.
    var asksForAnother: Bool { noneMatch != nil }

    /// Compares the conditions with the present state.
    ///
    /// - Parameter current: nil if there is none; not made where there are no conditions.
    /// - Returns: whether the request is performed, and what answers it otherwise.
    func judge(_ current: @autoclosure () -> Representation?) -> Verdict {
        isEmpty ? .holds : judged(current())
    }

    private func judged(_ current: Representation?) -> Verdict {
        if let match {
            guard names(match, current, { $0.isNamed(by: $1) }) else { return .failed("If-Match") }
        } else if let modified = current?.modified, let since = date(unmodifiedSince, modified) {
            guard modified <= since else { return .failed("If-Unmodified-Since") }
        }
        if let noneMatch {
            // A change is refused if one of its conditions cannot be read.
            let isKnown =
                noneMatch == .unreadable
                ? !isSafe : names(noneMatch, current) { $0.tag.opaque == $1.opaque }
            guard isKnown else { return .holds }
            return isSafe ? .notModified : .failed("If-None-Match")
        }
        if isSafe, let modified = current?.modified, let since = date(modifiedSince, modified) {
            return modified <= since ? .notModified : .holds
        }
        return .holds
    }

    /// Refuses a request whose conditions do not hold.
    ///
    /// - Parameter current: the resource as it is, nil if there is none; not made where there are
    ///   no conditions.
    /// - Returns: whether the client has it already.
    /// - Throws: `precondition-failed`.
    func check(_ current: @autoclosure () -> Representation?) throws(Problem) -> Bool {
        guard !isEmpty else { return false }
        let current = current()
        switch judged(current) {
        case .holds: return false
        case .notModified: return true
        case .failed: throw problem(current)
        }
    }

    /// The refusal of a request whose conditions do not hold.
    func problem(_ current: Representation?) -> Problem {
        var field = "If-Match"
        if case .failed(let name) = judged(current) { field = name }
        guard !hidesTag else {
            return Problem(.preconditionFailed, "Nothing was changed: \(field) does not hold.")
        }
        let state = current.map { "the ETag is \($0.tag.text)" } ?? "the resource does not exist"
        return Problem(
            .preconditionFailed,
            "Nothing was changed: \(field) does not hold, because \(state) now.")
    }

    private func names(
        _ condition: EntityTagCondition, _ current: Representation?,
        _ isSame: (Representation, EntityTag) -> Bool
    ) -> Bool {
        guard let current, condition != .any || current.isStored else { return false }
        return condition.matches { isSame(current, $0) }
    }

    /// A repeated field is no valid date (RFC 9110 section 13.1.3).
    private static func only(_ values: [String]) -> String? {
        values.count == 1 ? values[0] : nil
    }

    private func date(_ field: String?, _ modified: Timestamp) -> Timestamp? {
        field.flatMap { Timestamp(httpDate: $0, now: modified) }
    }
}
