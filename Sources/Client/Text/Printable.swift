// Texts from servers and origins, made safe for a terminal; pure.

/// Makes texts safe to print and fits them into columns.
package enum Printable {
    /// The text with `?` for every character that a terminal would act upon: controls and direction
    /// marks.
    package static func text(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
                .paragraphSeparator:
                result += "?"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The number of terminal columns of a printable text.
    package static func columns(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + columns($1) }
    }

    /// The text cut to a number of columns; a cut is shown by `…`.
    package static func cut(_ text: String, to limit: Int) -> String {
        guard columns(text) > limit else { return text }
        guard limit > 0 else { return "" }
        var (result, used) = ("", 0)
        for scalar in text.unicodeScalars {
            let next = columns(scalar)
            guard used + next < limit else { break }
            result.unicodeScalars.append(scalar)
            used += next
        }
        return result + "…"
    }

    /// The text padded with spaces behind it, or before it, to a number of columns.
    package static func pad(_ text: String, to width: Int, before: Bool = false) -> String {
        let spaces = String(repeating: " ", count: max(0, width - columns(text)))
        return before ? spaces + text : text + spaces
    }

    /// Formats rows as lines with aligned columns; a last column that is too wide is cut.
    ///
    /// - Parameters:
    ///   - rows: cells; all rows have as many as the first.
    ///   - right: columns of numbers, which end at the same place.
    ///   - width: columns of the terminal; nil for no bound.
    /// - Returns: a line for each row.
    package static func table(
        _ rows: [[String]], right: Set<Int> = [], width: Int? = nil
    ) -> [String] {
        guard let count = rows.first?.count else { return [] }
        let widths = (0..<count).map { column in
            rows.map { columns($0[column]) }.max() ?? 0
        }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let isLast = column == count - 1
                if column > 0 { line += "  " }
                line +=
                    isLast && !right.contains(column)
                    ? cell : pad(cell, to: widths[column], before: right.contains(column))
            }
            while line.hasSuffix(" ") { line.removeLast() }
            return width.map { cut(line, to: $0) } ?? line
        }
    }

    /// The columns of a character: 0 for combining ones, 2 for wide East Asian characters and
    /// emoji, 1 for others.
    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        switch scalar.value {
        case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff,
            0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f,
            0x1f900...0x1f9ff, 0x20000...0x3fffd:
            return 2
        default: return 1
        }
    }
}
