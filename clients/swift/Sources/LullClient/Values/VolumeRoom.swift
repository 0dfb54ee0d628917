// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// The room on a volume, in bytes.
public struct VolumeRoom: Codable, Hashable, Sendable {
    /// `free_bytes` of the API.
    public var freeBytes: Int
    /// `reserve_bytes` of the API.
    public var reserveBytes: Int

    /// Makes one of its members; those that are left out are nil.
    public init(
        freeBytes: Int,
        reserveBytes: Int
    ) {
        self.freeBytes = freeBytes
        self.reserveBytes = reserveBytes
    }

    private enum CodingKeys: String, CodingKey {
        case freeBytes = "free_bytes"
        case reserveBytes = "reserve_bytes"
    }
}
