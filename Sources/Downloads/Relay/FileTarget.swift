// The `destination` of a download: a folder or a store of the operator, or a receiver.
internal import Base

/// The place that a download's file goes to beside the data directory.
package enum FileTarget: Equatable, Sendable {
    /// A folder or a store that the operator allows.
    case folder(FileDestination)
    /// A receiver, to which the file is sent.
    case receiver(Relay)

    /// Reads the `destination` member; nil for none, or for a refused one.
    init?(reading reader: inout FieldReader) {
        guard let value = reader.value("destination") else { return nil }
        guard let object = value.objectValue else {
            reader.refuse("destination", "must be an object with a name or a url")
            return nil
        }
        let isFolder = !(object["name"]?.isNull ?? true)
        let isReceiver = !(object["url"]?.isNull ?? true)
        guard isFolder != isReceiver else {
            reader.refuse(
                "destination",
                isFolder
                    ? "must have either the name of a folder or the url of a receiver, not both"
                    : "must have the name of a folder or the url of a receiver")
            return nil
        }
        if isFolder {
            guard let folder = FileDestination(reading: &reader) else { return nil }
            self = .folder(folder)
        } else {
            guard let relay = Relay(object, at: "destination", &reader) else { return nil }
            self = .receiver(relay)
        }
    }

    /// The `destination` to which a merge patch is applied.
    ///
    /// A patch that names the other kind begins anew, so that no member of a folder stays beside a
    /// receiver or the other way round.
    ///
    /// - Parameters:
    ///   - patch: the member of the patch.
    ///   - folder: the download's folder; nil for none.
    ///   - relay: its receiver; nil for none.
    /// - Returns: the member before the patch; nil for none.
    static func base(
        of patch: JSON?, folder: FileDestination?, relay: Relay?
    ) -> JSON? {
        let namesFolder = !(patch?["name"]?.isNull ?? true)
        let namesReceiver = !(patch?["url"]?.isNull ?? true)
        if let folder, !namesReceiver { return folder.given }
        if let relay, !namesFolder { return relay.tree }
        return nil
    }
}
