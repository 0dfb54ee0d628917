/// What becomes of an answer's body, decided before its first byte.
package enum HeadVerdict: Equatable, Sendable {
    /// It is content, written into the file.
    case take(BodyPlace)
    /// It is the text of an error, or content that is not wanted: its beginning is kept in the
    /// attempt's record.
    case excerpt
    /// It is left: the transfer ends.
    case refuse
}
