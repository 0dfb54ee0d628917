/// Changes of a world that must not change the order in which downloads begin.
struct EngineVariant {
    /// The time by which all clocks are ahead.
    var shift = Duration.zero
    /// A prefix for the names of rules and apps.
    var prefix = ""
    /// Whether the order of the rules is reversed.
    var isReversed = false
    /// The number of replicas that share the slots.
    var replicas = 1
    /// Whether each lane has one download, and all have one session, one origin and no budget, so
    /// that no shares decide.
    var isOneFlow = false
}
