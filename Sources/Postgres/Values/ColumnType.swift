/// The server's numbers for a type and for the array of it; see pg_type.
package struct ColumnType: Sendable, Hashable {
    /// The type's object identifier.
    package let oid: UInt32
    /// The array type's object identifier, 0 if there is none here.
    package let arrayOID: UInt32

    /// Pairs the numbers.
    package init(oid: UInt32, arrayOID: UInt32) {
        self.oid = oid
        self.arrayOID = arrayOID
    }
}
