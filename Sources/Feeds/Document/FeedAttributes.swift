// The attributes that name files.
internal import Base
internal import Downloads

/// The attributes of an element, by their names in small letters.
struct FeedAttributes {
    private let values: [String: String]

    /// Reads attributes; of two with one name the first counts.
    init(_ attributes: [(name: String, value: String)]) {
        values = Dictionary(
            attributes.map { ($0.name.lowercased(), $0.value) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The value of an attribute; nil without it.
    subscript(_ name: String) -> String? { values[name] }

    /// The file that an element of RSS or Atom names.
    func file(
        of element: FeedName, in format: Feed.Format, _ base: SourceURL
    ) -> ItemDraft.File? {
        var address: String?
        let isLink = element.space == .atom || element.space == .none && format == .atom
        if element.space == .none, element.word == "enclosure", format == .rss {
            address = self["url"]
        } else if isLink, element.word == "link" {
            let rel = (self["rel"] ?? "").trimmed.lowercased()
            address = rel.split(separator: "/").last == "enclosure" ? self["href"] : nil
        }
        guard let address, !address.trimmed.isEmpty else { return nil }
        return ItemDraft.File(
            address: address, base: base, type: self["type"], length: self["length"])
    }

    /// The file that an element of Media RSS names; pictures accompany texts and are no files.
    func mediaFile(of element: FeedName, _ base: SourceURL) -> ItemDraft.File? {
        guard element.space == .media, element.word == "content",
            let address = self["url"], !address.trimmed.isEmpty,
            self["medium"]?.lowercased() != "image",
            self["type"]?.lowercased().hasPrefix("image/") != true
        else { return nil }
        return ItemDraft.File(
            address: address, base: base, type: self["type"], length: self["filesize"])
    }
}
