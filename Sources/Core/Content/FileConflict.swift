/// What happens where a file has the name that another one is to get; the raw value is the API's.
package enum FileConflict: String, Sendable, CaseIterable, MemberValue {
    /// The download needs the client.
    case fail
    /// The new file gets a number behind its name.
    case rename
    /// The new file takes the place of the other one; under a name that the client did not choose
    /// only where that one came from the same `url`, else as `rename`.
    case replace
    /// The other file stays and counts as the new one if it has the same bytes; else as `fail`.
    case replaceIfSame = "replace_if_same"
}
