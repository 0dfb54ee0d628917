// Metrics in the text format of Prometheus.

/// One family of numbers, in the text format of Prometheus 0.0.4.
package struct Metric: Sendable {
    /// How a number may move.
    package enum Kind: String, Sendable {
        /// Up and down.
        case gauge
        /// Up, until the process ends.
        case counter
    }

    /// One number of the family.
    package struct Sample: Sendable {
        /// Names and values that distinguish it from the others; neither has a quotation mark, a
        /// backslash or a line end.
        package let labels: [(String, String)]
        /// The number.
        package let value: Int64

        /// Names both.
        package init(_ value: Int64, labels: [(String, String)] = []) {
            self.labels = labels
            self.value = value
        }
    }

    /// `lull_` and words in small letters, with the unit; counters end in `_total`.
    package let name: String
    /// What it is, one sentence without a line end.
    package let help: String
    /// How it may move.
    package let kind: Kind
    /// Its numbers.
    package let samples: [Sample]

    /// Sets all members.
    package init(_ name: String, _ help: String, kind: Kind, samples: [Sample]) {
        precondition(name.hasPrefix("lull_"), "one prefix for all of them")
        self.name = name
        self.help = help
        self.kind = kind
        self.samples = samples
    }

    /// A text as the value of a label, without what a label may not have.
    package static func label(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    scalar.value < 32 || scalar == "\"" || scalar == "\\" ? "_" : scalar
                }))
    }

    /// A family of one number that goes up and down.
    package static func gauge(_ name: String, _ help: String, _ value: Int) -> Metric {
        Metric(name, help, kind: .gauge, samples: [Sample(Int64(value))])
    }

    /// The lines of it, each with its end.
    var text: String {
        var text = "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            let labels = sample.labels.map { "\($0)=\"\($1)\"" }.joined(separator: ",")
            text += name + (labels.isEmpty ? "" : "{\(labels)}") + " \(sample.value)\n"
        }
        return text
    }
}
