/// One rule: for the downloads that match, every requirement has to hold.
package struct PolicyRule: Equatable, Sendable {
    /// Its name, as in blockers.
    package var name: String
    /// Only downloads of this kind; nil means both.
    package var isDiscretionary: Bool?
    /// Only downloads of this session; nil means all.
    package var session: String?
    /// Names of windows that have to be open.
    package var windows: [String]

    /// True if the rule speaks of such a download.
    package func matches(isDiscretionary: Bool, session: String) -> Bool {
        if let wanted = self.isDiscretionary, wanted != isDiscretionary { return false }
        if let wanted = self.session, wanted != session { return false }
        return true
    }
}
