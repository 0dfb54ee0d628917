/// The end of one mail.
package enum MailResult: Equatable, Sendable {
    /// The server has taken it.
    case sent
    /// The server refused it, with the code of its answer, 400 to 599.
    case refused(Int)
    /// There was no answer of the server to it; the text is for the operator.
    case unreached(String)
}
