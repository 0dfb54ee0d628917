// Reads the number and unit of texts such as `30s` and `20M`.

/// A number and the unit behind it.
struct Quantity {
    /// The digits before the point.
    let whole: Int64
    /// The digits behind the point, without zeros at the end.
    let fraction: [UInt8]
    /// The letters behind the number.
    let unit: Substring
    /// The text behind the unit.
    let rest: Substring

    /// Reads digits, perhaps a point and digits, and letters; nil if no digit leads or the number
    /// does not fit.
    init?(_ text: Substring) {
        let digits = text.prefix(while: Quantity.isDigit)
        guard let whole = Int64(digits) else { return nil }
        var after = text[digits.endIndex...]
        var fraction: [UInt8] = []
        if after.first == "." {
            let places = after.dropFirst().prefix(while: Quantity.isDigit)
            guard (1...9).contains(places.count) else { return nil }
            fraction = places.utf8.map { $0 - 0x30 }
            after = after[places.endIndex...]
        }
        while fraction.last == 0 { fraction.removeLast() }
        self.whole = whole
        self.fraction = fraction
        unit = after.prefix { $0.isASCII && $0.isLetter }
        rest = after[unit.endIndex...]
    }

    /// The number times a factor; nil if it does not fit or is no whole number.
    func times(_ factor: Int64) -> Int64? {
        let (product, overflowed) = whole.multipliedReportingOverflow(by: factor)
        guard !overflowed else { return nil }
        var scale: Int64 = 1
        var numerator: Int64 = 0
        for digit in fraction {
            scale *= 10
            numerator = numerator * 10 + Int64(digit)
        }
        let (high, low) = numerator.multipliedFullWidth(by: factor)
        let (part, remainder) = scale.dividingFullWidth((high, low))
        let (sum, overflowedToo) = product.addingReportingOverflow(part)
        // For large factors a fraction of a unit is dropped: 1.1KiB is 1126 bytes.
        guard !overflowedToo, remainder == 0 || part > 0 else { return nil }
        return sum
    }

    private static func isDigit(_ character: Character) -> Bool {
        character.isASCII && character.isWholeNumber
    }
}
