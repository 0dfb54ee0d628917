// Names of Swift in the spelling of SQL and JSON.

extension String {
    /// The name of a case or a member in SQL's spelling, such as `next_at` for `nextAt` and
    /// `wake_id` for `wakeID`.
    package var snakeCase: String {
        var name = ""
        var isInWord = false
        for letter in self {
            if letter.isUppercase, isInWord { name += "_" }
            isInWord = letter.isLowercase
            name += letter.lowercased()
        }
        return name
    }
}
