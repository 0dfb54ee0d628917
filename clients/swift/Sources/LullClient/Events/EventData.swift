/// What an event is about, as it was at that moment.
public enum EventData: Hashable, Sendable {
    /// Of `download.…`: the download.
    case download(DownloadSnapshot)
    /// Of `upload.…`: the upload.
    case upload(UploadSnapshot)
    /// Of `download.…` and `upload.…` with `view=row`: the short form.
    case row(Row)
    /// Of a download or an upload that was deleted since: its identifier alone.
    case deleted(id: String)
    /// Of `endpoint.…`: the endpoint.
    case endpoint(EndpointData)
    /// Of `delivery.exhausted`: the delivery.
    case delivery(DeliveryData)
    /// Of `session.…`: the session.
    case session(SessionData)
    /// Of events that this version does not know.
    case other(JSONValue)

    /// The identifier of the download or upload.
    public var id: String? {
        switch self {
        case .download(let download): download.id
        case .upload(let upload): upload.id
        case .row(let row): row.id
        case .deleted(let id): id
        case .endpoint, .delivery, .session, .other: nil
        }
    }

    /// The download, where the event is of one that is not deleted.
    public var download: DownloadSnapshot? {
        guard case .download(let download) = self else { return nil }
        return download
    }

    /// The session, where the event is of one.
    public var session: SessionData? {
        guard case .session(let session) = self else { return nil }
        return session
    }

    /// Reads what an event of this type is about.
    init(type: EventName, from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: AnyKey.self)
        switch type.rawValue.prefix(while: { $0 != "." }) {
        case "download" where members.hasAll(["url"]): self = .download(try .init(from: decoder))
        case "upload" where members.hasAll(["content"]): self = .upload(try .init(from: decoder))
        case "download", "upload":
            if members.hasAll(["state"]) {
                self = .row(try Row(from: decoder))
            } else {
                self = .deleted(
                    id: try members.decode(String.self, forKey: AnyKey(stringValue: "id")))
            }
        case "endpoint": self = .endpoint(try EndpointData(from: decoder))
        case "delivery": self = .delivery(try DeliveryData(from: decoder))
        case "session": self = .session(try SessionData(from: decoder))
        default: self = .other(try JSONValue(from: decoder))
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .download(let value): try value.encode(to: encoder)
        case .upload(let value): try value.encode(to: encoder)
        case .row(let value): try value.encode(to: encoder)
        case .deleted(let id):
            var members = encoder.container(keyedBy: AnyKey.self)
            try members.encode(id, forKey: AnyKey(stringValue: "id"))
        case .endpoint(let value): try value.encode(to: encoder)
        case .delivery(let value): try value.encode(to: encoder)
        case .session(let value): try value.encode(to: encoder)
        case .other(let value): try value.encode(to: encoder)
        }
    }
}
