/// The built-in conditions of every deployment.
///
/// Each replica reads the measured ones for itself; the others are pushed, like declared
/// conditions.
package enum BuiltInCondition: String, Sendable, CaseIterable {
    /// The load average of one minute, divided by the cores that the process may use.
    case loadPerCore = "load_per_core"
    /// The share of the last ten seconds in which tasks waited for a processor, 0 to 1.
    case cpuPressure = "cpu_pressure"
    /// The share of the last ten seconds in which tasks waited for input and output, 0 to 1.
    case ioPressure = "io_pressure"
    /// The share of the last ten seconds in which tasks waited for memory, 0 to 1.
    case memoryPressure = "memory_pressure"
    /// Bytes free on the volume of the content.
    case diskFree = "disk_free_bytes"
    /// Whether the machine runs from the mains or from a battery.
    case power
    /// Whether bytes cost money on the network.
    case networkCost = "network_cost"
    /// Whether traffic on the network is to be kept low.
    case networkConstrained = "network_constrained"

    /// Whether each replica reads it for itself.
    package var isMeasured: Bool {
        switch self {
        case .loadPerCore, .cpuPressure, .ioPressure, .memoryPressure, .diskFree, .power: true
        case .networkCost, .networkConstrained: false
        }
    }

    /// The type of its values.
    package var type: ConditionType {
        switch self {
        case .power: .word(["mains", "battery"])
        case .networkCost: .word(["unmetered", "metered", "expensive"])
        case .networkConstrained: .boolean
        case .loadPerCore, .cpuPressure, .ioPressure, .memoryPressure, .diskFree: .number
        }
    }

    /// The default while it cannot be read or was not pushed; nil for none.
    package var standard: ConditionValue? {
        switch self {
        case .loadPerCore, .diskFree: nil
        case .cpuPressure, .ioPressure, .memoryPressure: .number(0)
        case .power: .word("mains")
        case .networkCost: .word("unmetered")
        case .networkConstrained: .flag(false)
        }
    }

    /// Its declaration.
    package var declaration: ConditionDeclaration {
        ConditionDeclaration(
            name: rawValue, type: type, unit: self == .diskFree ? "bytes" : nil,
            standard: standard, ttl: nil)
    }
}
