// Objects that are written in parts.
internal import Base
internal import Downloads
internal import Transfers

extension ObjectStore {
    /// Begins an upload in parts.
    package func beginUpload(
        _ object: NewObject, _ call: StoreCall
    ) async throws(StoreFailure) -> UploadName {
        var request = StoreRequest(.post, "CreateMultipartUpload", key: object.key)
        request.query = [("uploads", "")]
        request.describe(object)
        switch location.checksum {
        case .sha256: request.headers.append(("x-amz-checksum-algorithm", "SHA256"))
        case .crc64nvme:
            request.headers.append(("x-amz-checksum-algorithm", "CRC64NVME"))
            request.headers.append(("x-amz-checksum-type", "FULL_OBJECT"))
        case .none: break
        }
        let answer = try await granted(request, call)
        guard let id = answer.document?["UploadId"], !id.isEmpty else {
            throw malformed(request, answer)
        }
        return UploadName(key: object.key, id: id)
    }

    /// Writes a part, again in place of an earlier one with the same number.
    package func putPart(
        _ number: Int, of upload: UploadName, _ body: StoreBody, _ call: StoreCall
    ) async throws(StoreFailure) -> StoredPart {
        var request = StoreRequest(.put, "UploadPart", key: upload.key)
        request.query = [("partNumber", String(number)), ("uploadId", upload.id)]
        request.check(body, by: location.checksum)
        request.payload = .body(body)
        let answer = try await granted(request, call)
        guard let tag = answer.head.etag?.text else { throw malformed(request, answer) }
        var part = StoredPart(number: number, tag: tag, length: body.length)
        part.checksum = request.headers.first { $0.name.hasPrefix("x-amz-checksum-") }?.value
        return part
    }

    /// The parts that the store has, all pages of the list.
    ///
    /// - Throws: `noUpload` if the upload is not there.
    package func parts(
        of upload: UploadName, _ call: StoreCall
    ) async throws(StoreFailure) -> [StoredPart] {
        var parts: [StoredPart] = []
        var marker = 0
        while true {
            var request = StoreRequest(.get, "ListParts", key: upload.key)
            request.query = [("max-parts", "1000"), ("uploadId", upload.id)]
            if marker > 0 { request.query.append(("part-number-marker", String(marker))) }
            let answer = try await granted(request, call)
            guard let list = answer.document else { throw malformed(request, answer) }
            for node in list.all("Part") {
                guard let part = StoredPart(node), part.number > marker else {
                    throw malformed(request, answer)
                }
                parts.append(part)
            }
            guard list["IsTruncated"] == "true" else { return parts }
            // A list that does not go on would never end.
            guard let last = parts.last?.number, last > marker else {
                throw malformed(request, answer)
            }
            marker = last
        }
    }

    /// Makes the object of an upload out of its parts.
    ///
    /// - Parameters:
    ///   - upload: the upload, which is gone afterwards.
    ///   - parts: all of them, by number.
    ///   - crc64: CRC-64/NVME of the whole object where the location wants it.
    ///   - condition: the state in which the key must be.
    ///   - call: the bounds.
    /// - Returns: the entity tag and the length of the new object.
    /// - Throws: `noUpload` if the upload, or one of the parts, is not there.
    package func complete(
        _ upload: UploadName, _ parts: [StoredPart], crc64: UInt64?,
        if condition: WriteCondition, _ call: StoreCall
    ) async throws(StoreFailure) -> ObjectFacts {
        var request = StoreRequest(.post, "CompleteMultipartUpload", key: upload.key)
        request.query = [("uploadId", upload.id)]
        request.headers.append(("Content-Type", "application/xml"))
        request.require(condition)
        if location.checksum == .crc64nvme, let crc64 {
            request.headers.append(("x-amz-checksum-crc64nvme", StoreRequest.text(crc64)))
            request.headers.append(("x-amz-checksum-type", "FULL_OBJECT"))
        }
        request.payload = .bytes(StoreRequest.document(parts, checksum: location.checksum))
        request.hasEffect = true
        let answer = try await granted(request, call)
        guard let tag = answer.document?["ETag"] else { throw malformed(request, answer) }
        var facts = ObjectFacts(tag: tag.hasPrefix("\"") ? tag : "\"\(tag)\"")
        facts.length = parts.reduce(0) { $0 + $1.length }
        return facts
    }

    /// Aborts an upload; one that is not there counts as aborted.
    package func abort(_ upload: UploadName, _ call: StoreCall) async throws(StoreFailure) {
        var request = StoreRequest(.delete, "AbortMultipartUpload", key: upload.key)
        request.query = [("uploadId", upload.id)]
        do throws(StoreFailure) {
            _ = try await granted(request, call)
        } catch  where error.kind == .noUpload { return }
    }

    /// A page of the uploads under the prefix; `cursor` is the `next` of the last page, nil for the
    /// first.
    package func uploads(
        after cursor: String?, _ call: StoreCall
    ) async throws(StoreFailure) -> (uploads: [ListedUpload], next: String?) {
        var request = StoreRequest(.get, "ListMultipartUploads")
        request.query = [
            ("encoding-type", "url"), ("max-uploads", "1000"), ("uploads", ""),
        ]
        let prefix = location.key(for: "")
        if !prefix.isEmpty { request.query.append(("prefix", prefix)) }
        if let cursor {
            let parts = cursor.split(separator: "&", omittingEmptySubsequences: false)
                .map { String(decoding: CanonicalText.decoded($0.utf8), as: UTF8.self) }
            request.query.append(("key-marker", parts[0]))
            if parts.count > 1 { request.query.append(("upload-id-marker", parts[1])) }
        }
        let answer = try await granted(request, call)
        guard let list = answer.document else { throw malformed(request, answer) }
        let isEncoded = list["EncodingType"] == "url"
        func key(_ text: String) -> String {
            guard isEncoded else { return text }
            return String(
                decoding: CanonicalText.decoded(text.utf8, plusIsSpace: true), as: UTF8.self)
        }
        let uploads = list.all("Upload").compactMap { node -> ListedUpload? in
            guard let name = node["Key"].map(key), let id = node["UploadId"],
                name.utf8.starts(with: prefix.utf8),
                let begun = node["Initiated"].flatMap({ Timestamp(rfc3339: $0) })
            else { return nil }
            return ListedUpload(name: UploadName(key: name, id: id), begunAt: begun.seconds)
        }
        guard list["IsTruncated"] == "true", let next = list["NextKeyMarker"].map(key) else {
            return (uploads, nil)
        }
        let following = [next, list["NextUploadIdMarker"] ?? ""]
            .map { CanonicalText.encoded($0.utf8) }.joined(separator: "&")
        return (uploads, following == cursor ? nil : following)
    }
}

extension StoredPart {
    /// Reads a part in a list.
    fileprivate init?(_ node: XMLNode) {
        guard let number = node["PartNumber"].flatMap({ Int($0) }), let tag = node["ETag"],
            let length = node["Size"].flatMap({ Int64($0) })
        else { return nil }
        self.init(
            number: number, tag: tag.hasPrefix("\"") ? tag : "\"\(tag)\"", length: length)
        checksum = node["ChecksumSHA256"] ?? node["ChecksumCRC64NVME"]
    }
}
