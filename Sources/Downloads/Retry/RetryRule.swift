// Statuses that a client knows to be temporary.
internal import Base

/// A client's rule for repeating statuses that would be final, or would need the client: the
/// `retry` of a download or its session.
package struct RetryRule: MemberList {
    /// The statuses, rising; 400 to 499 without 401 and 407.
    package var statuses: [Int64]
    /// The most answers with one of them since the last new byte.
    package var attempts: Int64
    /// The most seconds since the first answer with one of the statuses.
    package var seconds: Int64

    /// The most statuses of a rule.
    private static let statusesAtMost = 98
    /// The upper bound of `attempts` and `seconds`, beyond that of any deployment: ten years in
    /// seconds.
    private static let mostOfAll: Int64 = 315_360_000

    /// Creates a value with all its members.
    package init(statuses: [Int64], attempts: Int64, seconds: Int64) {
        self.statuses = statuses
        self.attempts = attempts
        self.seconds = seconds
    }

    /// The value that reading begins with.
    package static let blank = RetryRule(statuses: [], attempts: 1, seconds: 1)

    /// Reads the `retry` member; nil for none, or for a refused one.
    init?(reading reader: inout FieldReader) {
        guard let value = reader.value("retry") else { return nil }
        guard let object = value.objectValue else {
            reader.refuse("retry", "must be an object with statuses, attempts and for_seconds")
            return nil
        }
        var part = FieldReader(object, at: reader.pointer("retry"))
        let statuses = RetryRule.statuses(&part)
        let attempts = part.integer("attempts", in: 1...RetryRule.mostOfAll)
        let seconds = part.integer("for_seconds", in: 1...RetryRule.mostOfAll)
        for (name, isMissing) in [("attempts", attempts == nil), ("for_seconds", seconds == nil)]
        where isMissing && object[name]?.isNull ?? true { part.refuse(name, "is required") }
        let errors = part.finish()
        reader.adopt(errors)
        guard errors.isEmpty, let attempts, let seconds else { return nil }
        self.init(statuses: statuses, attempts: attempts, seconds: seconds)
    }

    private static func statuses(_ part: inout FieldReader) -> [Int64] {
        let list = part.value("statuses")?.arrayValue ?? []
        let statuses = list.compactMap(\.integerValue)
        let isKnown = statuses.allSatisfy { (400...499).contains($0) && $0 != 401 && $0 != 407 }
        guard !list.isEmpty, list.count <= statusesAtMost, statuses.count == list.count, isKnown
        else {
            part.refuse(
                "statuses", "must be a list of statuses from 400 to 499, except 401 and 407")
            return []
        }
        return Set(statuses).sorted()
    }

    /// The members.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("statuses", &statuses)
        members.visit("attempts", &attempts)
        members.visit("for_seconds", &seconds)
    }

    /// The members that exceed the bounds of the deployment, with a sentence for each.
    ///
    /// - Parameter defaults: the deployment's values.
    /// - Returns: the place behind the pointer of `retry`, and what is wrong there.
    package func findings(_ defaults: DeploymentDefaults) -> [(suffix: String, detail: String)] {
        var findings: [(suffix: String, detail: String)] = []
        if attempts > defaults.retryRuleAttempts {
            findings.append(
                (
                    "/attempts",
                    "must be at most \(defaults.retryRuleAttempts), the operator's "
                        + "LULL_RETRY_RULE_ATTEMPTS"
                ))
        }
        if seconds > defaults.retryRuleSeconds {
            findings.append(
                (
                    "/for_seconds",
                    "must be at most \(defaults.retryRuleSeconds), the operator's "
                        + "LULL_RETRY_RULE_TIME"
                ))
        }
        return findings
    }

    /// Whether the rule names a status.
    func names(_ status: Int?) -> Bool { statuses.contains(Int64(status ?? 0)) }

    /// The longest wait between two of the attempts.
    var longestWait: Duration { .seconds(seconds) / Int(max(1, attempts)) }
}

extension UncountedWaits {
    /// Counts an answer with a status of the rule.
    ///
    /// - Returns: false where the rule is exhausted, so that the status counts without it.
    mutating func takesRefusal(by rule: RetryRule, now: Timestamp) -> Bool {
        let since = refusedSince ?? now
        guard refusals < rule.attempts, now < since + .seconds(rule.seconds) else { return false }
        refusals += 1
        refusedSince = since
        return true
    }
}
