package import Base

/// The values of one condition, now and later.
package struct ConditionTrack: Equatable, Sendable {
    /// A value from an instant until the next piece; nil for an unknown one.
    struct Piece: Equatable, Sendable {
        var from: Timestamp
        var value: ConditionValue?
    }

    /// The declaration of the condition.
    package let declaration: ConditionDeclaration
    /// The last pushed value.
    package private(set) var push: ConditionPush?
    /// The time since which the present value holds, if it is measured.
    package private(set) var measuredSince: Timestamp?
    /// The pieces in order; the first begins in the distant past.
    private(set) var pieces: [Piece]

    /// Whether each replica measures it for itself.
    package var isMeasured: Bool {
        BuiltInCondition(rawValue: declaration.name)?.isMeasured ?? false
    }

    /// Creates a track without values.
    init(_ declaration: ConditionDeclaration) {
        self.declaration = declaration
        pieces = [Piece(from: Timestamp(microseconds: .min), value: nil)]
    }

    /// Takes a pushed value, or nil for its removal.
    mutating func take(_ push: ConditionPush?) {
        self.push = push
        pieces = [Piece(from: Timestamp(microseconds: .min), value: nil)]
        guard let push else { return }
        pieces[0].value = push.value
        for step in push.schedule where step.from >= pieces[pieces.count - 1].from {
            pieces.append(Piece(from: step.from, value: step.value))
        }
        if let expiry = expiresAt { pieces.append(Piece(from: expiry, value: nil)) }
    }

    /// The time at which the pushed value becomes invalid; nil for never.
    package var expiresAt: Timestamp? {
        guard let push else { return nil }
        if push.ttl != nil { return push.expiresAt }
        return declaration.ttl.map {
            max(push.pushedAt, push.schedule.last?.from ?? push.pushedAt) + $0
        }
    }

    /// Takes a measured value; nil if it cannot be read.
    mutating func take(measured value: ConditionValue?, at now: Timestamp) {
        if measuredSince == nil || value != pieces[0].value { measuredSince = now }
        pieces = [Piece(from: Timestamp(microseconds: .min), value: value)]
    }

    /// The value at an instant, without the default.
    package func known(at instant: Timestamp) -> ConditionValue? {
        pieces.last { $0.from <= instant }?.value
    }

    /// The value at an instant, or the default.
    package func value(at instant: Timestamp) -> ConditionValue? {
        known(at: instant) ?? declaration.standard
    }

    /// The first instant after a given one at which the value changes, as far as known.
    package func change(after instant: Timestamp) -> Timestamp? {
        let value = value(at: instant)
        return pieces.first { $0.from > instant && self.value(at: $0.from) != value }?.from
    }

    /// The instants at which the value changes.
    package var changes: [Timestamp] { pieces.dropFirst().map(\.from) }
}
