// The encoding of booleans, numbers and text.

extension Bool: ColumnValue {
    /// boolean.
    package static var columnType: ColumnType { ColumnType(oid: TypeOID.bool, arrayOID: 1000) }

    /// Appends one byte.
    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(self ? 1 : 0)
        return true
    }

    /// Reads a boolean.
    package init(binary: Span<UInt8>, oid: UInt32) throws(PostgresError) {
        guard oid == TypeOID.bool, binary.count == 1 else {
            throw .unexpected(Bool.self, oid: oid, length: binary.count)
        }
        self = binary[0] != 0
    }
}

extension FixedWidthInteger {
    /// Reads smallint, integer, bigint or oid, whichever the server sent, if the number fits.
    static func integer(
        _ binary: Span<UInt8>, oid: UInt32
    ) throws(PostgresError) -> Self {
        let wide: Int64
        switch (oid, binary.count) {
        case (TypeOID.int8, 8): wide = binary.bigEndian()
        case (TypeOID.int4, 4): wide = Int64(binary.bigEndian(as: Int32.self))
        case (TypeOID.int2, 2): wide = Int64(binary.bigEndian(as: Int16.self))
        case (TypeOID.oid, 4): wide = Int64(binary.bigEndian(as: UInt32.self))
        default: throw .unexpected(Self.self, oid: oid, length: binary.count)
        }
        guard let number = Self(exactly: wide) else {
            throw PostgresError(.decoding, "\(wide) does not fit into \(Self.self)")
        }
        return number
    }
}

extension Int16: IntegerColumn {
    /// smallint.
    package static var columnType: ColumnType { ColumnType(oid: TypeOID.int2, arrayOID: 1005) }
}

extension Int32: IntegerColumn {
    /// integer.
    package static var columnType: ColumnType { ColumnType(oid: TypeOID.int4, arrayOID: 1007) }
}

extension Int64: IntegerColumn {
    /// bigint.
    package static var columnType: ColumnType { ColumnType(oid: TypeOID.int8, arrayOID: 1016) }
}

extension Int: ColumnValue {
    /// bigint.
    package static var columnType: ColumnType { Int64.columnType }

    /// Appends eight bytes.
    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(bigEndian: Int64(self))
        return true
    }

    /// Reads any integer.
    package init(binary: Span<UInt8>, oid: UInt32) throws(PostgresError) {
        self = try .integer(binary, oid: oid)
    }
}

extension Double: ColumnValue {
    /// double precision.
    package static var columnType: ColumnType { ColumnType(oid: TypeOID.float8, arrayOID: 1022) }

    /// Appends the eight bytes of IEEE 754.
    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(bigEndian: bitPattern)
        return true
    }

    /// Reads double precision or real.
    package init(binary: Span<UInt8>, oid: UInt32) throws(PostgresError) {
        switch (oid, binary.count) {
        case (TypeOID.float8, 8): self = Double(bitPattern: binary.bigEndian())
        case (TypeOID.float4, 4): self = Double(Float(bitPattern: binary.bigEndian()))
        default: throw .unexpected(Double.self, oid: oid, length: binary.count)
        }
    }
}

extension String: ColumnValue {
    /// text; write `$1::jsonb` or `$1::my_enumeration` for a column of another type.
    package static var columnType: ColumnType { ColumnType(oid: TypeOID.text, arrayOID: 1009) }

    /// Appends the UTF-8 bytes.
    ///
    /// The server refuses U+0000 with 22021.
    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(contentsOf: utf8)
        return true
    }

    /// Reads text, names, enumerations, JSON, and a UUID in its usual spelling.
    package init(binary: Span<UInt8>, oid: UInt32) throws(PostgresError) {
        switch oid {
        case TypeOID.text, TypeOID.varchar, TypeOID.bpchar, TypeOID.name, TypeOID.json,
            TypeOID.char, TypeOID.unknown, TypeOID.firstOfUsers...:
            self = String(utf8: binary)
        case TypeOID.jsonb where binary.count > 0 && binary[0] == 1:
            self = String(utf8: binary.extracting(1..<binary.count))
        case TypeOID.uuid:
            self = try UUIDValue(binary: binary, oid: oid).description
        default: throw .unexpected(String.self, oid: oid, length: binary.count)
        }
    }

    private init(utf8: Span<UInt8>) {
        self = unsafe utf8.withUnsafeBufferPointer {
            unsafe String(decoding: $0, as: UTF8.self)
        }
    }
}
