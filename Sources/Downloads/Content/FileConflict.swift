/// The action when a file has the name that another one is to get; the raw value is the API's.
package enum FileConflict: String, Sendable, CaseIterable, MemberValue {
    /// The download needs the client.
    case fail
    /// The new file gets a number behind its name.
    case rename
    /// The new file replaces the other one. Under a name that the client did not choose it does so
    /// only if the other file came from the same `url`; if not, it is renamed as with `rename`.
    case replace
    /// The other file stays and counts as the new one if it has equal bytes; if not, the download
    /// needs the client, as with `fail`.
    case replaceIfSame = "replace_if_same"
}
