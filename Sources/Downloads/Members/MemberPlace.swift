/// In which forms a member that may be absent is written.
package enum MemberPlace: Sendable {
    /// In both forms; shown as `null` when it is absent.
    case everywhere
    /// In both forms; left out when it is absent.
    case leftOut
    /// In the stored form only.
    case storedOnly
}
