// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// Where the file is placed once it is whole and proved, before the download has `succeeded`: in
/// one of the folders of `LULL_DESTINATIONS`, under a second name on the same volume, else as a
/// copy.
///
/// It belongs to you from then on: neither `DELETE` nor `content_retention` removes it. Folders on
/// the way are made; links are not followed.
///
/// The name may mean an object store: then the file is sent there, as to a receiver, and the object
/// becomes the content (`content.location` is `store`) while the bytes here go.
public struct Destination: Codable, Hashable, Sendable {
    /// The folder or store.
    public var name: String
    /// A relative path of at most 64 components, each of 1 to 255 bytes and neither `.` nor `..`,
    /// without control characters.
    ///
    /// Without it, the file's name. The key of an object, the operator's prefix included, has at
    /// most 1,024 bytes.
    public var path: String?
    /// If a file has the name:
    ///
    /// `fail` makes the download `attention_required` with `destination_conflict` (its bytes are
    /// kept: change `destination` and resume), `rename` puts a number behind the name, `replace`
    /// replaces the file (where neither `path` nor `filename` names it, only a file that the same
    /// `url` placed, else it is like `rename`), `replace_if_same` takes it for the new one if the
    /// bytes are the same, and else is like `fail`. In a store `replace` without `path` and
    /// `filename` is like `rename`, and `replace_if_same` compares the digest in the metadata.
    public var onConflict: OnConflict?
    /// Only for a store, shown if it was given: false removes the object when `content_retention`
    /// ends or the content is deleted, if it is still that of this download.
    public var keep: Bool?

    /// Makes one of its members; those that are left out are nil.
    public init(
        name: String,
        path: String? = nil,
        onConflict: OnConflict? = nil,
        keep: Bool? = nil
    ) {
        self.name = name
        self.path = path
        self.onConflict = onConflict
        self.keep = keep
    }

    private enum CodingKeys: String, CodingKey {
        case name
        case path
        case onConflict = "on_conflict"
        case keep
    }

    /// If a file has the name:
    ///
    /// `fail` makes the download `attention_required` with `destination_conflict` (its bytes are
    /// kept: change `destination` and resume), `rename` puts a number behind the name, `replace`
    /// replaces the file (where neither `path` nor `filename` names it, only a file that the same
    /// `url` placed, else it is like `rename`), `replace_if_same` takes it for the new one if the
    /// bytes are the same, and else is like `fail`. In a store `replace` without `path` and
    /// `filename` is like `rename`, and `replace_if_same` compares the digest in the metadata.
    public struct OnConflict: OpenWord {
        /// The word as the API writes it; it may be one that this version does not know.
        public let rawValue: String

        /// Makes any word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `fail`.
        public static let fail = OnConflict(rawValue: "fail")

        /// `rename`.
        public static let rename = OnConflict(rawValue: "rename")

        /// `replace`.
        public static let replace = OnConflict(rawValue: "replace")

        /// `replace_if_same`.
        public static let replaceIfSame = OnConflict(rawValue: "replace_if_same")
    }
}
