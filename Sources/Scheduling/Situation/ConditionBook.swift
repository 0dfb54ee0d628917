// The values of all conditions, and the states of the requirements on them.
package import Base

/// The conditions that a policy declares and the built-in ones: values, schedules, and the state of
/// each requirement.
///
/// A change of a condition costs the requirements on this condition only.
package struct ConditionBook: Equatable, Sendable {
    private var tracks: [String: ConditionTrack] = [:]
    private var atoms: [Requirement: ConditionAtom] = [:]
    private var requirements: [String: [Requirement]] = [:]
    /// Pushed values under names that no policy declares.
    private var undeclared: [String: ConditionPush] = [:]
    /// The costs of the hours by the preferences of rules, and the bookings of them.
    package private(set) var calendar = BookingCalendar()
    /// Rises with every change.
    package private(set) var version = 0
    /// The version in which each condition was changed last.
    private var versions: [String: Int] = [:]

    /// Creates a book without values.
    package init(_ policy: Policy, at now: Timestamp) {
        for condition in BuiltInCondition.allCases {
            tracks[condition.rawValue] = ConditionTrack(condition.declaration)
        }
        take(policy, at: now)
    }

    /// Takes a new policy, with its declarations and requirements.
    package mutating func take(_ policy: Policy, at now: Timestamp) {
        var declared: [String: ConditionTrack] = [:]
        for declaration in BuiltInCondition.allCases.map(\.declaration) + policy.conditions {
            let old = tracks[declaration.name]
            if let old, old.declaration == declaration {
                declared[declaration.name] = old
            } else {
                var track = ConditionTrack(declaration)
                let push = old?.push ?? undeclared[declaration.name]
                if let push, declaration.type.complaint(push.value) == nil {
                    track.take(push)
                    versions[declaration.name] = version + 1
                }
                declared[declaration.name] = track
            }
        }
        for (name, track) in tracks where declared[name] == nil {
            undeclared[name] = track.push
        }
        for name in declared.keys { undeclared[name] = nil }
        tracks = declared
        var kept: [Requirement: ConditionAtom] = [:]
        requirements = [:]
        for requirement in policy.judgedRules.flatMap(\.requirements)
        where kept[requirement] == nil {
            guard let name = requirement.condition, let track = tracks[name] else { continue }
            var atom = atoms[requirement] ?? ConditionAtom(requirement, from: now)
            atom?.advance(over: track, to: now)
            kept[requirement] = atom
            requirements[name, default: []].append(requirement)
        }
        atoms = kept
        calendar.keep(Set(policy.allRules.compactMap(\.preference)))
        price(at: now)
        version += 1
    }

    /// Computes the costs of the hours from now on, for all preferences or those on one condition.
    private mutating func price(_ name: String? = nil, at now: Timestamp) {
        for preference in calendar.preferences
        where preference.condition == name ?? preference.condition {
            calendar.price(preference, by: tracks[preference.condition], at: now)
        }
    }

    /// Books hours anew.
    ///
    /// - Parameters:
    ///   - demands: what waits and runs under each preference.
    ///   - room: what they share.
    ///   - now: the instant.
    package mutating func book(
        _ demands: [Preference: [CalendarDemand]], in room: CalendarCapacity, at now: Timestamp
    ) {
        price(at: now)
        for preference in calendar.preferences {
            calendar.book(demands[preference] ?? [], under: preference, in: room, at: now)
        }
        version += 1
    }

    /// Takes the calendar that was booked on a copy; one for another policy is ignored.
    package mutating func take(_ calendar: BookingCalendar) {
        guard calendar.preferences == self.calendar.preferences else { return }
        self.calendar = calendar
        version += 1
    }

    /// Takes a pushed value of a condition, or nil for its removal.
    ///
    /// - Returns: whether anything changed.
    @discardableResult
    package mutating func take(
        _ push: ConditionPush?, of name: String, at now: Timestamp
    ) -> Bool {
        guard let declaration = tracks[name]?.declaration else {
            guard undeclared[name] != push else { return false }
            undeclared[name] = push
            version += 1
            return true
        }
        guard tracks[name]?.push != push,
            push.map({ declaration.type.complaint($0.value) == nil }) ?? true
        else { return false }
        change(name, at: now) { $0.take(push) }
        return true
    }

    /// Takes measured values; a condition that is left out keeps its value.
    ///
    /// - Returns: whether a requirement opens, closes or will open at another time.
    @discardableResult
    package mutating func take(
        measured values: [(BuiltInCondition, ConditionValue?)], at now: Timestamp
    ) -> Bool {
        let before = atoms
        for (condition, value) in values {
            change(condition.rawValue, at: now) { $0.take(measured: value, at: now) }
        }
        return before.contains { requirement, atom in
            atoms[requirement].map { $0.isOpen != atom.isOpen || $0.opensAt != atom.opensAt }
                ?? true
        }
    }

    private mutating func change(
        _ name: String, at now: Timestamp, _ body: (inout ConditionTrack) -> Void
    ) {
        guard var track = tracks[name] else { return }
        let touched = requirements[name] ?? []
        WorkMeter.add(touched.count)
        for requirement in touched { atoms[requirement]?.advance(over: track, to: now) }
        body(&track)
        tracks[name] = track
        price(name, at: now)
        for requirement in touched { atoms[requirement]?.advance(over: track, to: now) }
        version += 1
        versions[name] = version
    }

    /// The version in which a condition was changed last; 0 for never.
    func version(of name: String) -> Int { versions[name] ?? 0 }

    /// The names of all conditions, in order.
    package var names: [String] { (Array(tracks.keys) + Array(undeclared.keys)).sorted() }

    /// The names that are declared or built in, in order.
    package var declaredNames: [String] { tracks.keys.sorted() }

    /// The values of a declared or built-in condition.
    package func track(_ name: String) -> ConditionTrack? { tracks[name] }

    /// The value that was pushed under an undeclared name.
    package func undeclaredPush(_ name: String) -> ConditionPush? { undeclared[name] }

    /// The requirements on a condition.
    package func uses(of name: String) -> [Requirement] { requirements[name] ?? [] }

    /// The state of a requirement on a condition at an instant.
    package func state(of requirement: Requirement, at now: Timestamp) -> AtomState {
        guard let name = requirement.condition, let track = tracks[name],
            var atom = atoms[requirement] ?? ConditionAtom(requirement, from: now)
        else { return AtomState(truth: .unknown, isForeseen: false) }
        atom.advance(over: track, to: now)
        let value = track.value(at: now)
        let truth: Truth = atom.isOpen ? .met : value == nil ? .unknown : .unmet
        let until =
            atom.isOpen
            ? atom.closing(over: track, after: now) : atom.opening(over: track, from: now)
        return AtomState(
            truth: truth, since: atom.since, until: until,
            isForeseen: !track.isMeasured && !track.changes.isEmpty,
            isMeasured: track.isMeasured, value: value,
            isDefault: value != nil && track.known(at: now) == nil,
            damped: atom.isDamped ? atom.hold : nil, lastOpen: atom.lastOpen,
            watchedSince: atom.watchedSince)
    }

    /// Whether a requirement on a condition is met at an instant.
    package func isMet(_ requirement: Requirement, at now: Timestamp) -> Bool {
        state(of: requirement, at: now).isMet
    }

    /// The first instant from `start` on at which a requirement is met, as far as known.
    package func opening(of requirement: Requirement, from start: Timestamp) -> Timestamp? {
        guard let track = requirement.condition.flatMap({ tracks[$0] }),
            let atom = atoms[requirement] ?? ConditionAtom(requirement, from: start)
        else { return nil }
        return atom.opening(over: track, from: start)
    }

    /// The first instant after `start` at which a requirement is not met, as far as known.
    func closing(of requirement: Requirement, after start: Timestamp) -> Timestamp? {
        guard let track = requirement.condition.flatMap({ tracks[$0] }),
            let atom = atoms[requirement] ?? ConditionAtom(requirement, from: start)
        else { return nil }
        return atom.closing(over: track, after: start)
    }

    /// The first instant after now at which a requirement of some condition may change.
    package func nextChange(after now: Timestamp) -> Timestamp? {
        var next: Timestamp?
        for requirement in atoms.keys {
            guard let until = state(of: requirement, at: now).until, until > now else { continue }
            next = min(next ?? until, until)
        }
        return next
    }
}
