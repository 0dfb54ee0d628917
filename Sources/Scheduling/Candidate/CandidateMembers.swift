package import Base

/// What downloads of one lane may differ in, and rules may ask for.
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
