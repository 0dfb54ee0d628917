// Policies of the simulated worlds.
import Base
import Scheduling

/// The policies under which the engine runs a simulated fortnight.
enum EnginePolicies {
    /// Reads a policy; it has to be sound.
    static func read(_ text: String) -> Policy {
        guard case .success(let document) = Result(catching: { try JSON.parse(Array(text.utf8)) }),
            let policy = Policy.read(
                document,
                defaults: PolicyLimits(running: World.slots, perOrigin: World.perOrigin),
                isZone: { $0 == "UTC" }
            ).policy
        else { preconditionFailure("the policy is not sound: \(text)") }
        return policy
    }

    /// Discretionary work waits for the night or the weekend, as long as its deadline allows.
    static let nights = """
        {"time_zone": "UTC", "windows": {"night": ["22:00-06:00", "Sat,Sun 00:00-24:00"]},
         "rules": [{"name": "nights", "match": {"is_discretionary": true},
                    "require": ["window night"], "soft": true}]}
        """

    /// Discretionary work waits for any off-peak hour.
    static let offPeak = """
        {"time_zone": "UTC", "windows": {"off_peak": ["20:00-08:00", "Sat,Sun 00:00-24:00"]},
         "rules": [{"name": "off peak", "match": {"is_discretionary": true},
                    "require": ["window off_peak"], "soft": true}]}
        """

    /// Discretionary work takes the hours of the least price.
    static let leastPrice = """
        {"conditions": {"power_price": {"type": "number", "unit": "EUR/kWh", "default": 0.3}},
         "rules": [{"name": "cheap", "match": {"is_discretionary": true},
                    "prefer": "least power_price"}]}
        """
}
