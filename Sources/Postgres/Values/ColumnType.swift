/// The server's numbers for a type and for the array of it; see pg_type.
package struct ColumnType: Sendable, Hashable {
    /// The type's object identifier.
    package let oid: UInt32
    /// The array type's object identifier; 0 if the code uses no such array.
    package let arrayOID: UInt32

    /// Creates a column type.
    package init(oid: UInt32, arrayOID: UInt32) {
        self.oid = oid
        self.arrayOID = arrayOID
    }
}
