// Optional values, and arrays as parameters.

extension Optional: ColumnValue where Wrapped: ColumnValue {
    /// The type of the wrapped value.
    package static var columnType: ColumnType { Wrapped.columnType }

    /// The absent value.
    package static var null: Wrapped?? { .some(nil) }

    /// Appends nothing for nil.
    package func encode(into bytes: inout [UInt8]) -> Bool {
        switch self {
        case .some(let value): value.encode(into: &bytes)
        case nil: false
        }
    }

    /// Appends an array of one dimension, with NULL for nil.
    package static func encode(elements: [Wrapped?], into bytes: inout [UInt8]) {
        Wrapped.encode(optionals: elements, into: &bytes)
    }

    /// Reads a value that is not NULL.
    package init(binary: Span<UInt8>, oid: UInt32) throws(PostgresError) {
        self = .some(try Wrapped(binary: binary, oid: oid))
    }
}

extension Array: ColumnValue where Element: ColumnValue {
    /// The array type of the elements; `[UInt8]` is bytea.
    package static var columnType: ColumnType { Element.arrayColumnType }

    /// Appends an array of one dimension, or the bytes of bytea.
    package func encode(into bytes: inout [UInt8]) -> Bool {
        Element.encode(elements: self, into: &bytes)
        return true
    }

    /// Reads a one-dimensional array, or bytes.
    package init(binary: Span<UInt8>, oid: UInt32) throws(PostgresError) {
        self = try Element.elements(binary: binary, oid: oid)
    }
}

extension ColumnValue {
    /// Appends one dimension with the lower bound 1; see array_send in the server's arrayfuncs.c.
    package static func encode(elements: [Self], into bytes: inout [UInt8]) {
        encode(elements.count, into: &bytes) { elements[$0].encode(into: &$1) }
    }

    /// Like `encode(elements:into:)`, with NULL for nil.
    package static func encode(optionals: [Self?], into bytes: inout [UInt8]) {
        encode(optionals.count, into: &bytes) { optionals[$0]?.encode(into: &$1) ?? false }
    }

    /// Appends an array of one dimension; `element` appends the value at an index, or returns false
    /// for NULL.
    private static func encode(
        _ count: Int, into bytes: inout [UInt8], _ element: (Int, inout [UInt8]) -> Bool
    ) {
        precondition(columnType.arrayOID != 0, "arrays of arrays are not a parameter")
        bytes.append(bigEndian: Int32(count == 0 ? 0 : 1))
        let flag = bytes.count
        bytes.append(bigEndian: UInt32(0))
        bytes.append(bigEndian: columnType.oid)
        guard count > 0 else { return }
        bytes.append(bigEndian: Int32(count))
        bytes.append(bigEndian: Int32(1))
        var hasNull = false
        for place in 0..<count {
            let start = bytes.count
            bytes.append(bigEndian: Int32(-1))
            if element(place, &bytes) {
                bytes.replace(at: start, bigEndian: UInt32(bytes.count - start - 4))
            } else {
                hasNull = true
            }
        }
        if hasNull { bytes.replace(at: flag, bigEndian: 1) }
    }

    /// Reads an array of one dimension; see array_recv in the server's arrayfuncs.c.
    package static func elements(
        binary: Span<UInt8>, oid: UInt32
    ) throws(PostgresError) -> [Self] {
        guard binary.count >= 12 else {
            throw .unexpected([Self].self, oid: oid, length: binary.count)
        }
        let dimensions = binary.bigEndian(at: 0, as: Int32.self)
        let element = binary.bigEndian(at: 8, as: UInt32.self)
        if dimensions == 0 { return [] }
        guard dimensions == 1, binary.count >= 20 else {
            throw PostgresError(.decoding, "an array of \(dimensions) dimensions cannot be read")
        }
        let count = Int(binary.bigEndian(at: 12, as: Int32.self))
        var place = 20
        var values: [Self] = []
        values.reserveCapacity(min(count, binary.count / 4))
        for _ in 0..<count {
            guard place + 4 <= binary.count else { throw Self.cutShort(oid) }
            let length = Int(binary.bigEndian(at: place, as: Int32.self))
            place += 4
            guard length >= 0 else {
                guard let null else { throw PostgresError(.decoding, "an element is NULL") }
                values.append(null)
                continue
            }
            guard place + length <= binary.count else { throw Self.cutShort(oid) }
            let bytes = binary.extracting(place..<(place + length))
            values.append(try Self(binary: bytes, oid: element))
            place += length
        }
        return values
    }

    private static func cutShort(_ oid: UInt32) -> PostgresError {
        PostgresError(.decoding, "an array of type \(oid) ends too early")
    }
}

extension UInt8: ColumnValue {
    /// smallint on its own; `[UInt8]` is bytea.
    package static var columnType: ColumnType { Int16.columnType }

    /// bytea, and its array for `[[UInt8]]`.
    package static var arrayColumnType: ColumnType {
        ColumnType(oid: TypeOID.bytea, arrayOID: 1001)
    }

    /// Appends two bytes.
    package func encode(into bytes: inout [UInt8]) -> Bool { Int16(self).encode(into: &bytes) }

    /// Reads a smallint between 0 and 255.
    package init(binary: Span<UInt8>, oid: UInt32) throws(PostgresError) {
        let number = try Int16(binary: binary, oid: oid)
        guard let byte = UInt8(exactly: number) else {
            throw PostgresError(.decoding, "\(number) does not fit into UInt8")
        }
        self = byte
    }

    /// Appends the bytes unchanged.
    package static func encode(elements: [UInt8], into bytes: inout [UInt8]) {
        bytes.append(contentsOf: elements)
    }

    /// Reads the bytes unchanged.
    package static func elements(
        binary: Span<UInt8>, oid: UInt32
    ) throws(PostgresError) -> [UInt8] {
        guard oid == TypeOID.bytea else {
            throw .unexpected([UInt8].self, oid: oid, length: binary.count)
        }
        return unsafe binary.withUnsafeBufferPointer { unsafe [UInt8]($0) }
    }
}
