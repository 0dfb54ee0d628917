import Core

/// What may be changed of a world without a change of the order in which things begin.
struct EngineVariant {
    /// By how much all clocks are ahead.
    var shift = Duration.zero
    /// What stands before the names of rules and apps.
    var prefix = ""
    /// Whether the rules stand in the opposite order.
    var isReversed = false
    /// How many replicas share the slots.
    var replicas = 1
    /// Whether lanes have one download each, all of one session and one origin and without a
    /// budget, so that no shares decide.
    var isOneFlow = false
}
