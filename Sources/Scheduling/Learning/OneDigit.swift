// Numbers rounded to one significant digit, because they include other apps' downloads.

/// Rounds the numbers of all apps together.
enum OneDigit {
    /// The number with its first digit alone, rounded to the nearest: 1, 9, 20, 300.
    ///
    /// - Parameter value: 0 or more.
    /// - Returns: the rounded number.
    static func of(_ value: Int64) -> Int64 {
        var (rest, power): (Double, Int64) = (Double(max(0, value)), 1)
        while rest >= 9.5, power < 1_000_000_000_000_000_000 {
            rest /= 10
            power *= 10
        }
        let (product, overflowed) = Int64(rest.rounded()).multipliedReportingOverflow(by: power)
        return overflowed ? .max : product
    }
}
