/// The names of conditions.
package enum ConditionName {
    /// Whether a text can be one: letters, digits, `_`, `-` and `.`, 128 bytes at most.
    package static func isValid(_ text: String) -> Bool {
        TextForm.word.complaint(text) == nil
    }
}
