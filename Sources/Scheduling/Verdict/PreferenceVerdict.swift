// Whether a download waits for a preferred hour.
package import Base
internal import Downloads

/// The judgement of a rule's `prefer` over a download at an instant.
package struct PreferenceVerdict: Sendable {
    /// The rule.
    let rule: PolicyRule
    /// Its preference.
    let preference: Preference
    /// The time at which the preference ceases to count for the download.
    let waivedAt: Timestamp
    private let booking: Booking
    private let curve: PriceCurve
    private let now: Timestamp

    /// Judges a download by the first matching rule with a preference; nil if there is none or its
    /// condition has no value.
    ///
    /// - Parameters:
    ///   - rules: the rules that are about it.
    ///   - candidate: the download.
    ///   - need: how long it is expected to take.
    ///   - latest: the latest begin that its deadline allows, or nil.
    ///   - situation: the facts.
    init?(
        _ rules: [PolicyRule], _ candidate: AdmissionCandidate, need: Duration,
        latest: Timestamp?, in situation: Situation
    ) {
        guard let rule = rules.first(where: { $0.preference != nil }),
            let preference = rule.preference,
            let curve = situation.calendar.curves[preference]
        else { return nil }
        self.rule = rule
        self.preference = preference
        self.curve = curve
        now = situation.now
        let end = PreferenceVerdict.end(
            candidate, need: need, margin: situation.policy.deadlines.margin)
        waivedAt = latest ?? end
        let isResumable =
            candidate.isResumable
            || situation.learned.isResumable(origin: candidate.originKey ?? -1, at: now) ?? true
        // Hours of a plan need not adjoin: a transfer that cannot be resumed needs them in one run.
        let planned =
            isResumable || need <= PriceCurve.hour
            ? situation.calendar.booking(preference, origin: candidate.originName ?? "", end: end)
            : nil
        booking =
            planned
            ?? .alone(
                curve, need: need, from: max(now, candidate.runAt),
                to: HourLedger.lastHour(before: end, need: need), isResumable: isResumable)
    }

    /// The time at which a download should be complete: at its deadline or, without one, after the
    /// waiting time of its class.
    package static func end(
        _ candidate: AdmissionCandidate, need: Duration, margin: Duration
    ) -> Timestamp {
        let deadline = candidate.deadline
        let own = [
            deadline.begin.map { $0 - margin + need }, deadline.complete, deadline.timeout,
        ]
        return own.compactMap { $0 }.min()
            ?? candidate.runAt + SoftCurve.life(rank: candidate.rank)
    }

    /// Whether the preference lets the download begin.
    var isOpen: Bool { now >= waivedAt || (curve.cost(at: now).map { $0 <= booking.cap } ?? true) }

    /// The value of its condition in this hour.
    var value: ConditionValue? {
        curve.cost(at: now).map { .number(preference.prefersMost ? -$0 : $0) }
    }

    /// The first instant from a given one on at which the preference lets the download begin.
    func opening(from instant: Timestamp) -> Timestamp {
        guard instant < waivedAt, curve.place(of: instant) != nil else { return instant }
        return min(curve.opening(from: instant, atMost: booking.cap) ?? waivedAt, waivedAt)
    }

    /// The blocker of the preference; nil if it lets the download begin.
    func blocker(_ candidate: AdmissionCandidate, in situation: Situation) -> Blocker? {
        guard !isOpen else { return nil }
        let until = opening(from: now)
        let unit = situation.conditions.track(preference.condition)?.declaration.unit
        let price = ConditionValue.number(preference.prefersMost ? -booking.cap : booking.cap)
        let bound = preference.prefersMost ? "at least" : "at most"
        let kind = candidate.isDiscretionary ? "discretionary downloads" : "downloads"
        return Blocker(
            .preferredTime,
            "\(kind) wait for hours in which \(preference.condition) is \(bound) \(price)"
                + "\(unit.map { " " + $0 } ?? ""); the next begins at \(until.rfc3339)",
            since: min(now, max(candidate.createdAt, candidate.runAt)), until: until,
            rule: rule.name, isSoft: true, waivedAt: until == waivedAt ? waivedAt : nil)
    }

    /// The line of the preference in an explanation.
    var report: RequirementReport {
        let isMet = curve.cost(at: now).map { $0 <= booking.cap } ?? true
        return RequirementReport(
            text: "prefer \(preference)",
            outcome: isMet ? .met : isOpen ? .waived : .unmet, value: value,
            until: isOpen ? nil : opening(from: now))
    }
}
