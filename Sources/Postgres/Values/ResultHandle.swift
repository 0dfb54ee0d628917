// The single owner of a PGresult.
internal import CPostgres
internal import Glibc

/// A result of libpq that is freed with its owner; see PQclear.
@safe struct ResultHandle: ~Copyable {
    private let pointer: OpaquePointer?

    /// Takes ownership of a result; nil stands for one that libpq could not make.
    init(owning pointer: OpaquePointer?) { unsafe self.pointer = pointer }

    deinit { unsafe PQclear(pointer) }

    /// Whether the statement succeeded; see PQresultStatus.
    var isSuccess: Bool {
        switch unsafe PQresultStatus(pointer) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: true
        default: false
        }
    }

    /// The command's tag, such as `COMMIT`; see PQcmdStatus.
    var commandTag: String {
        guard let result = unsafe pointer, let text = unsafe PQcmdStatus(result) else { return "" }
        return unsafe String(cString: text)
    }

    /// The five characters of SQLSTATE, if the server sent an error.
    var sqlState: String? { field(UInt8(ascii: "C")) }
    /// The server's primary message.
    var message: String? { field(UInt8(ascii: "M")) }
    /// The server's detail line.
    var detail: String? { field(UInt8(ascii: "D")) }
    /// The name of the violated constraint.
    var constraint: String? { field(UInt8(ascii: "n")) }

    /// One field of an error by its PG_DIAG letter; see PQresultErrorField.
    private func field(_ letter: UInt8) -> String? {
        guard let text = unsafe PQresultErrorField(pointer, Int32(letter)) else { return nil }
        return unsafe String(cString: text)
    }

    /// Copies all rows; see PQgetvalue and PQgetisnull.
    func rows() -> Rows {
        guard let result = unsafe pointer else {
            return Rows(
                Rows.Storage(
                    names: Rows.ColumnNames(), types: [], count: 0, affected: 0, bytes: [],
                    ends: []))
        }
        let columns = unsafe Int(PQnfields(result)), count = unsafe Int(PQntuples(result))
        var names = Rows.ColumnNames()
        names.bytes.reserveCapacity(columns * 16)
        var types: [UInt32] = []
        types.reserveCapacity(columns)
        for column in 0..<Int32(columns) {
            if let name = unsafe PQfname(result, column) {
                unsafe names.bytes.append(
                    contentsOf: UnsafeRawBufferPointer(start: name, count: strlen(name)))
            }
            names.bytes.append(0)
            types.append(unsafe PQftype(result, column))
        }
        var bytes: [UInt8] = []
        var ends: [Int] = []
        ends.reserveCapacity(columns * count)
        bytes.reserveCapacity(columns * count * 16)
        for row in 0..<Int32(count) {
            for column in 0..<Int32(columns) {
                guard unsafe PQgetisnull(result, row, column) == 0,
                    let value = unsafe PQgetvalue(result, row, column)
                else {
                    ends.append(-1 - bytes.count)
                    continue
                }
                let length = unsafe Int(PQgetlength(result, row, column))
                unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: value, count: length))
                ends.append(bytes.count)
            }
        }
        let affected = unsafe PQcmdTuples(result).flatMap { unsafe Int(String(cString: $0)) } ?? 0
        return Rows(
            Rows.Storage(
                names: names, types: types, count: count, affected: affected, bytes: bytes,
                ends: ends))
    }
}
