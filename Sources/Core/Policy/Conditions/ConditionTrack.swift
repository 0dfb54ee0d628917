/// What is known of one condition: its value now and later.
package struct ConditionTrack: Equatable, Sendable {
    /// A value from an instant until the next piece; nil where nothing is known.
    struct Piece: Equatable, Sendable {
        var from: Timestamp
        var value: ConditionValue?
    }

    /// What it is declared as.
    package let declaration: ConditionDeclaration
    /// What was pushed last.
    package private(set) var push: ConditionPush?
    /// Since when the present value holds, for a measured one.
    package private(set) var measuredSince: Timestamp?
    /// In order, the first from the distant past.
    private(set) var pieces: [Piece]

    /// Whether each replica measures it for itself.
    package var isMeasured: Bool {
        BuiltInCondition(rawValue: declaration.name)?.isMeasured ?? false
    }

    /// A condition of which nothing is known.
    init(_ declaration: ConditionDeclaration) {
        self.declaration = declaration
        pieces = [Piece(from: Timestamp(microseconds: .min), value: nil)]
    }

    /// Takes a pushed value, or the removal of one.
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

    /// When what was pushed ceases to count; nil for never.
    package var expiresAt: Timestamp? {
        guard let push else { return nil }
        if push.ttl != nil { return push.expiresAt }
        return declaration.ttl.map {
            max(push.pushedAt, push.schedule.last?.from ?? push.pushedAt) + $0
        }
    }

    /// Takes a measured value, nil where it cannot be read.
    mutating func take(measured value: ConditionValue?, at now: Timestamp) {
        if measuredSince == nil || value != pieces[0].value { measuredSince = now }
        pieces = [Piece(from: Timestamp(microseconds: .min), value: value)]
    }

    /// The value that is known at an instant, without the default.
    package func known(at instant: Timestamp) -> ConditionValue? {
        pieces.last { $0.from <= instant }?.value
    }

    /// The value that counts at an instant.
    package func value(at instant: Timestamp) -> ConditionValue? {
        known(at: instant) ?? declaration.standard
    }

    /// The first instant after one at which another value counts, as far as that is known.
    package func change(after instant: Timestamp) -> Timestamp? {
        let value = value(at: instant)
        return pieces.first { $0.from > instant && self.value(at: $0.from) != value }?.from
    }

    /// The instants after one at which another value counts.
    package var changes: [Timestamp] { pieces.dropFirst().map(\.from) }
}
