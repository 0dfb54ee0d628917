// Timestamps of the server.

/// A point in time in microseconds since 1970-01-01 UTC.
package struct TimestampValue: Sendable, Hashable, Comparable {
    /// Microseconds since 1970-01-01 UTC; the extremes of Int64 stand for the infinities.
    package let microseconds: Int64

    /// Creates a timestamp.
    package init(microseconds: Int64) { self.microseconds = microseconds }

    /// Later than every other time; `'infinity'` in SQL.
    package static let infinity = TimestampValue(microseconds: .max)
    /// Earlier than every other time; `'-infinity'` in SQL.
    package static let negativeInfinity = TimestampValue(microseconds: .min)

    /// Orders timestamps by time.
    package static func < (left: TimestampValue, right: TimestampValue) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The microseconds from 1970-01-01 to 2000-01-01, from which the server counts.
    private static let epochOfServer: Int64 = 946_684_800_000_000
}

extension TimestampValue: ColumnValue {
    /// timestamptz.
    package static var columnType: ColumnType {
        ColumnType(oid: TypeOID.timestamptz, arrayOID: 1185)
    }

    /// Appends eight bytes.
    ///
    /// The server refuses years before 4713 BC and after 294276 with 22008.
    package func encode(into bytes: inout [UInt8]) -> Bool {
        guard self != .infinity, self != .negativeInfinity else {
            bytes.append(bigEndian: microseconds)
            return true
        }
        let (count, overflow) = microseconds.subtractingReportingOverflow(Self.epochOfServer)
        bytes.append(bigEndian: overflow ? Int64.min + 1 : count)
        return true
    }

    /// Reads timestamptz, or timestamp as UTC.
    package init(binary: Span<UInt8>, oid: UInt32) throws(PostgresError) {
        guard oid == TypeOID.timestamptz || oid == TypeOID.timestamp, binary.count == 8 else {
            throw .unexpected(TimestampValue.self, oid: oid, length: binary.count)
        }
        let count = binary.bigEndian(as: Int64.self)
        guard count != .max, count != .min else {
            self.init(microseconds: count)
            return
        }
        // The last 30 years of the server's range do not fit in Int64 when counted from 1970.
        let (number, overflow) = count.addingReportingOverflow(Self.epochOfServer)
        self.init(microseconds: overflow ? Int64.max - 1 : number)
    }
}
