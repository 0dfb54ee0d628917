// The API's access to content in object stores.
internal import API
internal import Downloads
internal import HTTPWire
internal import ObjectStores
internal import Platform

extension ObjectAccess {
    /// The access to the stores of the settings.
    init(to stores: OpenStores, _ log: Log) {
        self.init(
            address: { question in
                guard let store = stores.find(question.store) else { return .unknownStore }
                do throws(StoreFailure) {
                    return .url(
                        try store.presigned(
                            store.location.key(for: question.path),
                            disposition: question.disposition, type: question.type))
                } catch {
                    return .failed(error.detail)
                }
            },
            open: { question, range in
                guard let store = stores.find(question.store) else { return .unknownStore }
                do throws(StoreFailure) {
                    let reading = try await store.open(
                        store.location.key(for: question.path), range: range, tag: question.tag,
                        StoreCall())
                    let length = range.map { $0.upperBound + 1 - $0.lowerBound }
                    let stream = BodyStream(length: length ?? reading.length) {
                        await reading.send(to: $0, of: question.path, log)
                    }
                    return .content(.stream(stream, length: reading.length))
                } catch {
                    return switch error.kind {
                    case .missing: .content(.missing)
                    case .conflict: .changed
                    default: .content(.failed(error.detail))
                    }
                }
            })
    }
}

extension StoreReading {
    /// Sends the bytes; if one cannot be read, the connection ends before the announced length.
    fileprivate func send(to writer: BodyWriter, of path: String, _ log: Log) async {
        do throws(StoreFailure) {
            while let piece = try await next() {
                guard await writer.write(piece) else { return }
            }
        } catch {
            log.warn(
                "content broke off",
                [("file", .string(path)), ("error", .string(error.detail))])
        }
    }
}
