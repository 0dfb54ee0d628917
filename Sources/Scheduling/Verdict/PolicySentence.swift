// The sentences about rules.
internal import Base

/// Writes a sentence for each reason for which rules let a download wait.
enum PolicySentence {
    /// The sentence for a requirement that is not met.
    static func waiting(
        for requirement: Requirement, _ state: AtomState, _ candidate: AdmissionCandidate,
        in situation: Situation
    ) -> String {
        let kind = candidate.isDiscretionary ? "discretionary downloads" : "downloads"
        switch requirement.subject {
        case .window(let name, isNegated: false):
            let opening = state.until.map { "opens at \($0.rfc3339)" } ?? "never opens"
            return "\(kind) wait for the window \"\(name)\", which \(opening)"
        case .window(let name, isNegated: true):
            let end = state.until.map { "closes at \($0.rfc3339)" } ?? "never closes"
            return "\(kind) wait for the end of the window \"\(name)\", which \(end)"
        case .condition(let name, let comparison):
            var text = "\(kind) wait until \(name) \(comparison)"
            if state.damped == nil, requirement.hold > .zero {
                text += " for \(DurationText.print(requirement.hold))"
            }
            return text + tail(name, state, in: situation)
        }
    }

    /// The sentence for a download that would not be complete before a closing.
    static func closing(
        _ requirement: Requirement, _ closing: Timestamp, needing time: Duration
    ) -> String {
        let what =
            switch requirement.subject {
            case .window(let name, isNegated: false): "the window \"\(name)\" closes"
            case .window(let name, isNegated: true): "the window \"\(name)\" opens"
            case .condition: "\"\(requirement)\" ceases to hold"
            }
        return
            "it needs about \(DurationText.rounded(time)) and could not be resumed after a stop, "
            + "but \(what) at \(closing.rfc3339)"
    }

    private static func tail(
        _ name: String, _ state: AtomState, in situation: Situation
    ) -> String {
        var text = ""
        if let damped = state.damped {
            text += " for \(DurationText.print(damped)), because it changed often"
        }
        let track = situation.conditions.track(name)
        let unit = track?.declaration.unit.map { " \($0)" } ?? ""
        let missing: String =
            if track?.isMeasured == true {
                "this replica cannot measure it"
            } else if let pushed = track?.push {
                "nobody has pushed it since \(pushed.pushedAt.rfc3339)"
            } else {
                "nobody has pushed it"
            }
        let all = everywhere(state)
        guard let value = state.value else {
            return text + "; \(missing), and it has no default" + all
        }
        let shown = "\(value)\(unit)"
        return text
            + (state.isDefault
                ? "; \(missing), so its default \(shown) counts" : "; it is \(shown) now") + all
    }

    /// The words that say that no replica may begin it, if there are several.
    private static func everywhere(_ state: AtomState) -> String {
        guard state.replicas > 1 else { return "" }
        let since = state.since.map { " since \($0.rfc3339)" } ?? ""
        return ", and it holds on none of the \(state.replicas) replicas\(since)"
    }
}
