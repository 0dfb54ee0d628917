// The API's access to the place of content.
internal import API
internal import Base
internal import Content
internal import Downloads
internal import HTTPWire
internal import ObjectStores
internal import Platform
internal import Worker

extension ContentAccess {
    /// The access to a place; the worker hears of content that is not found.
    init(
        to place: any ContentPlace, _ stores: OpenStores, _ worker: DownloadWorker, _ log: Log
    ) {
        self.init(
            instance: place.identifier,
            missed: { worker.missed($0, fence: $1) },
            open: { id, fence, range in
                let name = ContentName(download: id, fence: fence)
                do throws(PlaceError) {
                    let reading = try await place.open(name, ReadingWish(range: range))
                    return ContentOpening(reading, range, of: name, log)
                } catch {
                    return error.code == .missing ? .missing : .failed("\(error)")
                }
            },
            remove: { id, fence in
                // Content that is not removed at once is found by retention, or by the sweep.
                _ = await place.remove([ContentName(download: id, fence: fence)])
            })
        facts = { FileFacts(ofOpenFile: $0.descriptor) }
        changed = { worker.gauge.countChanged() }
        objects = ObjectAccess(to: stores, log)
    }
}

extension ContentOpening {
    /// The form in which the API sends a reading.
    fileprivate init(
        _ reading: ContentReading, _ range: ClosedRange<Int64>?, of name: ContentName, _ log: Log
    ) {
        switch reading {
        case .file(let file):
            self = .open(
                FileRegion(
                    descriptor: file.descriptor.rawValue, offset: 0, length: file.length,
                    close: { withExtendedLifetime(file) {} }))
        case .chunks(let chunks):
            let length = range.map { $0.upperBound + 1 - $0.lowerBound } ?? chunks.length
            self = .stream(
                BodyStream(length: length) { await chunks.send(to: $0, of: name, log) },
                length: chunks.length)
        case .redirect:
            self = .failed("the place offers an address where bytes were wanted")
        }
    }
}

extension ContentChunks {
    /// Sends the bytes; if one cannot be read, the connection ends before the announced length.
    fileprivate func send(to writer: BodyWriter, of name: ContentName, _ log: Log) async {
        do throws(PlaceError) {
            while let piece = try await next() {
                guard await writer.write(piece) else { return }
            }
        } catch {
            log.warn(
                "content broke off",
                [("file", .string(name.description)), ("error", .string(error.description))])
        }
    }
}
