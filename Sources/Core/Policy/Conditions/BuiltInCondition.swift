/// The conditions that every deployment has.
///
/// A measured one is read by each replica for itself; the others are pushed, as declared ones are.
package enum BuiltInCondition: String, Sendable, CaseIterable {
    /// The load of a minute by the cores that the process may use.
    case loadPerCore = "load_per_core"
    /// The part of ten seconds in which something waited for a processor, 0 to 1.
    case cpuPressure = "cpu_pressure"
    /// The same for reading and writing.
    case ioPressure = "io_pressure"
    /// The same for memory.
    case memoryPressure = "memory_pressure"
    /// Bytes free on the volume of the content.
    case diskFree = "disk_free_bytes"
    /// Whether the machine runs from the mains or from a battery.
    case power
    /// What a byte costs.
    case networkCost = "network_cost"
    /// Whether the network is to be spared.
    case networkConstrained = "network_constrained"

    /// Whether each replica reads it for itself.
    package var isMeasured: Bool {
        switch self {
        case .networkCost, .networkConstrained: false
        default: true
        }
    }

    /// What values it has.
    package var type: ConditionType {
        switch self {
        case .power: .word(["mains", "battery"])
        case .networkCost: .word(["unmetered", "metered", "expensive"])
        case .networkConstrained: .boolean
        default: .number
        }
    }

    /// What counts while it cannot be read or was not pushed; nil where nothing stands in for it.
    package var standard: ConditionValue? {
        switch self {
        case .loadPerCore, .diskFree: nil
        case .cpuPressure, .ioPressure, .memoryPressure: .number(0)
        case .power: .word("mains")
        case .networkCost: .word("unmetered")
        case .networkConstrained: .flag(false)
        }
    }

    /// What it is declared as.
    package var declaration: ConditionDeclaration {
        ConditionDeclaration(
            name: rawValue, type: type, unit: self == .diskFree ? "bytes" : nil,
            standard: standard, ttl: nil)
    }
}
