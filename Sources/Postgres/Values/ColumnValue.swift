// The encoding of Swift values for the server: binary, in network byte order.

/// A value that can be a parameter of a statement and a column of a row.
package protocol ColumnValue: Sendable {
    /// The type that a parameter is declared with; cast in SQL for another (`$1::numeric`).
    static var columnType: ColumnType { get }

    /// The type of an array parameter with elements of this type.
    static var arrayColumnType: ColumnType { get }

    /// The value for NULL, nil if there is none.
    static var null: Self? { get }

    /// Appends the binary form, or nothing for NULL.
    ///
    /// - Returns: false for NULL.
    func encode(into bytes: inout [UInt8]) -> Bool

    /// Reads the binary form of a value that is not NULL.
    ///
    /// - Parameters:
    ///   - binary: the bytes of the column.
    ///   - oid: the type that the server gave them.
    /// - Throws: `PostgresError` with `decoding` when the type or the range does not fit.
    init(binary: Span<UInt8>, oid: UInt32) throws(PostgresError)

    /// Appends the binary form of an array.
    static func encode(elements: [Self], into bytes: inout [UInt8])

    /// Appends the binary form of an array in which nil is NULL.
    ///
    /// Each type has its own code for this, because an array of optional values would be generic
    /// code.
    static func encode(optionals: [Self?], into bytes: inout [UInt8])

    /// Reads the binary form of an array.
    static func elements(binary: Span<UInt8>, oid: UInt32) throws(PostgresError) -> [Self]
}

extension ColumnValue {
    /// Most types have no value for NULL.
    package static var null: Self? { nil }

    /// The type of an array of this type.
    package static var arrayColumnType: ColumnType {
        ColumnType(oid: columnType.arrayOID, arrayOID: 0)
    }
}

/// Object identifiers that never change; see pg_type.dat of the server.
enum TypeOID {
    static let bool: UInt32 = 16
    static let bytea: UInt32 = 17
    static let char: UInt32 = 18
    static let name: UInt32 = 19
    static let int8: UInt32 = 20
    static let int2: UInt32 = 21
    static let int4: UInt32 = 23
    static let text: UInt32 = 25
    static let oid: UInt32 = 26
    static let json: UInt32 = 114
    static let float4: UInt32 = 700
    static let float8: UInt32 = 701
    static let unknown: UInt32 = 705
    static let bpchar: UInt32 = 1042
    static let varchar: UInt32 = 1043
    static let timestamp: UInt32 = 1114
    static let timestamptz: UInt32 = 1184
    static let uuid: UInt32 = 2950
    static let jsonb: UInt32 = 3802
    /// The lowest identifier of a user-defined type, such as an enumeration.
    static let firstOfUsers: UInt32 = 16384
}

extension [UInt8] {
    /// Appends a number in network byte order.
    mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
        unsafe Swift.withUnsafeBytes(of: number.bigEndian) { unsafe append(contentsOf: $0) }
    }

    /// Overwrites four bytes at an offset with a number in network byte order.
    mutating func replace(at offset: Int, bigEndian number: UInt32) {
        for place in 0..<4 {
            self[offset + place] = UInt8(truncatingIfNeeded: number >> (24 - 8 * UInt32(place)))
        }
    }
}

extension Span<UInt8> {
    /// Reads a number in network byte order; the caller has checked that there are enough bytes.
    func bigEndian<Number: FixedWidthInteger>(
        at offset: Int = 0, as type: Number.Type = Number.self
    ) -> Number {
        var number: Number = 0
        for place in 0..<(Number.bitWidth / 8) {
            number = number << 8 | Number(truncatingIfNeeded: self[offset + place])
        }
        return number
    }
}

extension PostgresError {
    /// The error of a column that has another type than the one it is read as.
    static func unexpected(_ type: Any.Type, oid: UInt32, length: Int) -> PostgresError {
        PostgresError(
            .decoding, "a column of type \(oid) with \(length) bytes cannot be read as \(type)")
    }
}
