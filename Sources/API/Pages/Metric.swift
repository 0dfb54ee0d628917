// Metrics in the text format of Prometheus.

/// One family of numbers, in the text format of Prometheus 0.0.4.
package struct Metric: Sendable {
    /// The way in which a number can change.
    package enum Kind: String, Sendable {
        /// It rises and falls.
        case gauge
        /// It rises until the process ends.
        case counter
        /// Counts of values by size, with their sum.
        case histogram
    }

    /// One number of the family.
    package struct Sample: Sendable {
        /// Names and values that distinguish it from others; without quotation marks, backslashes
        /// and line ends.
        package let labels: [(String, String)]
        /// The number as it is written.
        package let text: String
        /// The suffix of the family's name, such as `_bucket`.
        let suffix: String

        /// Creates a sample from a whole number and its labels.
        package init(_ value: Int64, labels: [(String, String)] = []) {
            self.init("\(value)", labels: labels)
        }

        /// Creates a sample from a number of any size and its labels.
        package init(number: Double, labels: [(String, String)] = []) {
            self.init("\(number)", labels: labels)
        }

        fileprivate init(_ text: String, suffix: String = "", labels: [(String, String)]) {
            self.labels = labels
            self.text = text
            self.suffix = suffix
        }
    }

    /// `lull_` and words in lower case, with the unit, or `process_` for numbers that every process
    /// has; counters end in `_total`.
    package let name: String
    /// Its meaning, one sentence without a line end.
    package let help: String
    /// The way in which the numbers can change.
    package let kind: Kind
    /// Its numbers.
    package let samples: [Sample]

    /// Sets all members.
    package init(_ name: String, _ help: String, kind: Kind, samples: [Sample]) {
        precondition(
            name.hasPrefix("lull_") || name.hasPrefix("process_"), "one prefix for all of them")
        self.name = name
        self.help = help
        self.kind = kind
        self.samples = samples
    }

    /// A text as the value of a label, without characters that a label may not have.
    package static func label(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    scalar.value < 32 || scalar == "\"" || scalar == "\\" ? "_" : scalar
                }))
    }

    /// A family of one number that rises and falls.
    package static func gauge(_ name: String, _ help: String, _ value: Int) -> Metric {
        Metric(name, help, kind: .gauge, samples: [Sample(Int64(value))])
    }

    /// A family of one number of seconds, or of another unit with fractions.
    package static func gauge(_ name: String, _ help: String, number: Double) -> Metric {
        Metric(name, help, kind: .gauge, samples: [Sample(number: number)])
    }

    /// A family of one number that only rises.
    package static func counter(_ name: String, _ help: String, _ value: Int64) -> Metric {
        Metric(name, help, kind: .counter, samples: [Sample(value)])
    }

    /// The samples of one histogram of a family.
    ///
    /// - Parameters:
    ///   - counts: how many values are in each bucket; one more than there are bounds, for what is
    ///     above the last.
    ///   - bounds: the upper bound of each bucket as it is written, the least first.
    ///   - sum: of all values.
    ///   - labels: what distinguishes it from the others.
    /// - Returns: its buckets, each with all below it, its sum and its count.
    static func histogram(
        _ counts: [Int64], bounds: [String], sum: Double, labels: [(String, String)]
    ) -> [Sample] {
        precondition(counts.count == bounds.count + 1, "a bucket for each bound, and the rest")
        var samples: [Sample] = []
        var below: Int64 = 0
        for (count, bound) in zip(counts, bounds + ["+Inf"]) {
            below += count
            samples.append(
                Sample("\(below)", suffix: "_bucket", labels: labels + [("le", bound)]))
        }
        samples.append(Sample("\(sum)", suffix: "_sum", labels: labels))
        samples.append(Sample("\(below)", suffix: "_count", labels: labels))
        return samples
    }

    /// Its lines, each with its end.
    var text: String {
        var text = "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            let labels = sample.labels.map { "\($0)=\"\($1)\"" }.joined(separator: ",")
            text += name + sample.suffix + (labels.isEmpty ? "" : "{\(labels)}")
            text += " \(sample.text)\n"
        }
        return text
    }
}
