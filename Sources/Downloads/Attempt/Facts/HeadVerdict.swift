/// The use of an answer's body, decided before its first byte.
package enum HeadVerdict: Equatable, Sendable {
    /// It is content, written into the file.
    case take(BodyPlace)
    /// It is the text of an error, or unwanted content: its beginning is kept in the attempt's
    /// record.
    case excerpt
    /// It is not read: the transfer ends.
    case refuse
}
