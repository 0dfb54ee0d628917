// Reading columns of the plain types, nil for NULL: not generic, because frequent rows have many.

extension Row {
    /// Reads a column of any integer type.
    ///
    /// - Throws: `decoding` when the column is absent or of another type.
    package func integer(_ column: Int) throws(PostgresError) -> Int64? {
        try get(column, as: Int64?.self)
    }

    /// Reads a column of type boolean.
    ///
    /// - Throws: `decoding` when the column is absent or of another type.
    package func bool(_ column: Int) throws(PostgresError) -> Bool? {
        try get(column, as: Bool?.self)
    }

    /// Reads a column of type double precision.
    ///
    /// - Throws: `decoding` when the column is absent or of another type.
    package func double(_ column: Int) throws(PostgresError) -> Double? {
        try get(column, as: Double?.self)
    }

    /// Reads a column of type text.
    ///
    /// - Throws: `decoding` when the column is absent or of another type.
    package func text(_ column: Int) throws(PostgresError) -> String? {
        try get(column, as: String?.self)
    }

    /// Reads a column of type timestamptz.
    ///
    /// - Throws: `decoding` when the column is absent or of another type.
    package func timestamp(_ column: Int) throws(PostgresError) -> TimestampValue? {
        try get(column, as: TimestampValue?.self)
    }

    /// Reads a column of type uuid.
    ///
    /// - Throws: `decoding` when the column is absent or of another type.
    package func uuid(_ column: Int) throws(PostgresError) -> UUIDValue? {
        try get(column, as: UUIDValue?.self)
    }
}
