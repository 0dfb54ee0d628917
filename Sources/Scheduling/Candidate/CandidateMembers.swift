package import Base

/// Values in which downloads of one lane may differ, and for which rules may ask.
package struct CandidateMembers: Equatable, Sendable {
    /// The expected size in bytes; nil if unknown.
    package var expectedBytes: Int64?
    /// Its metadata.
    package var metadata: JSONObject

    /// Creates a value with both members.
    package init(expectedBytes: Int64?, metadata: JSONObject) {
        self.expectedBytes = expectedBytes
        self.metadata = metadata
    }
}
