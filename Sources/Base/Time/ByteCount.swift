// Sizes as people write them in settings: `512KiB`, `20M`, `500GB`.

/// Reads and writes numbers of bytes such as `512KiB`, `20M`, `1.5GiB`, `500GB`.
package enum ByteCount {
    private static let prefixes: [Character] = ["K", "M", "G", "T", "P"]

    private static let allowed =
        "write a number and a unit: B, kB, MB, GB, TB, PB (powers of 1000, also K, M, G, T, P) or "
        + "KiB, MiB, GiB, TiB, PiB (powers of 1024), such as 20M, 500GB, 512KiB or 1.5GiB"

    /// Reads a number of bytes.
    ///
    /// A single letter counts in powers of 1000, as all sizes that are printed do; powers of 1024
    /// are said (`Ki`, `KiB`). A number alone counts bytes. Units are read in upper and lower case.
    ///
    /// - Parameter text: no sign, no space; a fraction is rounded down to whole bytes.
    /// - Returns: 0 or more.
    /// - Throws: `QuantityError`, whose text states what is allowed.
    package static func parse(_ text: String) throws(QuantityError) -> Int64 {
        guard let quantity = Quantity(text[...]), quantity.rest.isEmpty else {
            throw QuantityError("\"\(text)\" is not a size: \(allowed)")
        }
        guard let factor = factor(of: quantity.unit) else {
            throw QuantityError("\"\(text)\" has the unknown unit \"\(quantity.unit)\": \(allowed)")
        }
        guard let bytes = quantity.times(factor) else {
            throw QuantityError("\"\(text)\" is not a whole number of bytes below 2^63")
        }
        return bytes
    }

    /// Writes a number of bytes exactly, in the largest unit that divides it, as `parse` reads it.
    ///
    /// Powers of 1024 stand only where they make the number much shorter.
    ///
    /// - Parameter bytes: a negative number counts as 0.
    /// - Returns: such as `20MiB`, `500GB` or `1025B`.
    package static func print(_ bytes: Int64) -> String {
        let bytes = max(0, bytes)
        guard bytes > 0 else { return "0B" }
        var decimal = (number: bytes, unit: "B")
        var binary = decimal
        for (position, prefix) in prefixes.enumerated() {
            let thousands = power(1000, position + 1)
            if bytes % thousands == 0 {
                decimal = (bytes / thousands, (prefix == "K" ? "k" : String(prefix)) + "B")
            }
            let size = Int64(1) << (10 * Int64(position + 1))
            if bytes % size == 0 { binary = (bytes / size, String(prefix) + "iB") }
        }
        // 512,000 bytes are 512kB, although 500KiB is shorter.
        let best = binary.number < decimal.number / 8 ? binary : decimal
        return String(best.number) + best.unit
    }

    /// A number of bytes for people, of three digits such as `0.4GB` or `31GB`; rounded down.
    package static func short(_ bytes: Int64) -> String {
        var (rest, power) = (max(0, bytes), 0)
        var tenths: Int64 = 0
        while rest >= 1000, power < largestPower {
            tenths = rest % 1000 / 100
            rest /= 1000
            power += 1
        }
        let number = tenths > 0 && rest < 100 ? "\(rest).\(tenths)" : "\(rest)"
        return "\(number)\(letter(ofPower: power))B"
    }

    /// The letter of a power of 1000.
    ///
    /// A switch: with arrays of units in functions that write sizes, two builds from the same
    /// sources differed, because the optimizer does not always specialize such functions.
    ///
    /// - Parameter power: 1 for `k`, up to 6 for `E`; anything else has none.
    /// - Returns: `k`, `M`, `G`, `T`, `P` or `E`; empty for bytes themselves.
    package static func letter(ofPower power: Int) -> String {
        switch power {
        case 1: "k"
        case 2: "M"
        case 3: "G"
        case 4: "T"
        case 5: "P"
        case 6: "E"
        default: ""
        }
    }

    /// The largest power that ``letter(ofPower:)`` has a letter for; 64 bits do not hold more.
    package static let largestPower = 6

    private static func factor(of unit: Substring) -> Int64? {
        let upper = unit.uppercased()
        if upper.isEmpty || upper == "B" { return 1 }
        guard let first = upper.first, let position = prefixes.firstIndex(of: first) else {
            return nil
        }
        switch upper.dropFirst() {
        case "", "B": return power(1000, position + 1)
        case "I", "IB": return 1 << (10 * Int64(position + 1))
        default: return nil
        }
    }

    private static func power(_ base: Int64, _ exponent: Int) -> Int64 {
        (0..<exponent).reduce(1) { product, _ in product * base }
    }
}
