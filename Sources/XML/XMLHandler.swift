/// Receives the parts of a document in their order.
package protocol XMLHandler: AnyObject {
    /// Whether texts are wanted at the moment; texts that are not wanted are not made.
    var wantsText: Bool { get }

    /// An element begins.
    ///
    /// - Parameters:
    ///   - name: as it is written, with its prefix.
    ///   - attributes: names as they are written, and values.
    ///   - offset: the number of bytes before its tag.
    /// - Returns: false to end the reading with the fault `ended`.
    func begin(
        _ name: String, _ attributes: [(name: String, value: String)], at offset: Int
    )
        -> Bool

    /// The last element that began and has not ended ends.
    func end()

    /// A piece of text; one text may come in several pieces.
    func text(_ piece: String)
}
