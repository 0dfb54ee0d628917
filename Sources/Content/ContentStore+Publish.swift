// Publishing finished files: each is named and synced before a database row names it.
internal import CPlatform
internal import Glibc
internal import Platform

extension ContentStore {
    /// The number of files from which a batch shares one sync of the file system.
    ///
    /// Measured on ext4: two files take 0.7 ms one by one and 0.3 ms together, 64 files 22 ms and 3
    /// ms, with 200 MiB/s of other writes 22 ms and 8 ms. A single file does not wait for the
    /// writes of others.
    static let smallestSharedBatch = 2

    /// Makes finished files durable under their final names.
    ///
    /// Bytes in memory are written under the final name at once: the name belongs to the attempt,
    /// and no row names the file before it is durable. A file whose sync fails is removed and its
    /// attempt is lost; a failed sync is not repeated.
    ///
    /// - Parameter batch: any number of files, each once.
    /// - Returns: an answer for each file, in order. A success may be committed.
    func publish(
        _ batch: [CompletedPart]
    ) -> [Result<PublishedContent, ContentError>] {
        let isShared = batch.count >= ContentStore.smallestSharedBatch
        var results = batch.indices.map { index in
            outcome(of: batch[index]) { () throws(ContentError) in
                try name(batch[index], syncs: !isShared)
            }
        }
        let named = results.map(\.isSuccess)
        if isShared {
            shareSync(batch, &results)
        } else {
            syncShards(batch, &results)
        }
        for (index, item) in batch.enumerated() {
            if results[index].isSuccess {
                item.part?.close()
                directory.health.recover()
            } else {
                remove(item, isNamed: named[index])
            }
        }
        return results
    }

    /// Gives a file its final name.
    private func name(_ item: CompletedPart, syncs: Bool) throws(ContentError) {
        switch item.source {
        case .file(let part):
            try checkLength(part, item.length)
            if syncs {
                try part.checkpoint()
                part.leavePageCache()
            }
            try part.rename(to: item.name.path)
        case .memory(let block):
            try expectOwnFolder()
            try directory.make(item.name.path, block, syncs: syncs)
        }
    }

    /// Makes one syncfs(2) for all files, then checks each file for errors of its own pages.
    ///
    /// An earlier syncfs may already have reported, and thereby cleared, an error of background
    /// write-back. Such an error cannot concern a file that was just made here.
    private func shareSync(
        _ batch: [CompletedPart], _ results: inout [Result<PublishedContent, ContentError>]
    ) {
        do throws(ContentError) {
            try directory.syncFileSystem()
        } catch {
            for index in results.indices where results[index].isSuccess {
                results[index] = .failure(error)
            }
            return
        }
        for index in results.indices where results[index].isSuccess {
            guard let part = batch[index].part else { continue }
            results[index] = outcome(of: batch[index]) { () throws(ContentError) in
                // There is no write left to wait for: this call only reports errors.
                try part.sync("write-back") { lull_await_writeback(part.descriptor.rawValue) }
                part.leavePageCache()
            }
        }
    }

    /// Makes the new names durable; syncs each directory once.
    private func syncShards(
        _ batch: [CompletedPart], _ results: inout [Result<PublishedContent, ContentError>]
    ) {
        var errors: [UInt8: ContentError?] = [:]
        for index in results.indices where results[index].isSuccess {
            let shard = batch[index].name.shard
            if errors[shard] == nil {
                do throws(ContentError) {
                    try directory.syncShard(shard)
                    errors[shard] = .some(nil)
                } catch {
                    errors[shard] = error
                }
            }
            if let error = errors[shard] ?? nil { results[index] = .failure(error) }
        }
    }

    /// Removes a lost file; if that fails, the sweep does it later, because no row names it.
    ///
    /// - Parameters:
    ///   - item: the file.
    ///   - isNamed: whether the name is this file's, and not one that had it before.
    private func remove(_ item: CompletedPart, isNamed: Bool) {
        do throws(ContentError) {
            switch item.source {
            case .file(let part): try part.discard()
            case .memory: if isNamed { try directory.remove(item.name.path) }
            }
        } catch {
            item.part?.close()
        }
    }

    private func checkLength(_ part: PartFile, _ expected: Int64) throws(ContentError) {
        let length = try part.length()
        guard length == expected else {
            throw ContentError(.ioError, "the file has \(length) bytes instead of \(expected)")
        }
    }

    private func outcome(
        of item: CompletedPart, _ body: () throws(ContentError) -> Void
    ) -> Result<PublishedContent, ContentError> {
        do throws(ContentError) {
            try body()
            return .success(PublishedContent(name: item.name, length: item.length))
        } catch {
            return .failure(error)
        }
    }
}

extension ContentDirectory {
    /// Creates a file with all its bytes: one open, one write, one close.
    ///
    /// - Parameters:
    ///   - path: its name, which no other file may have.
    ///   - block: the bytes; nil for none.
    ///   - syncs: whether the bytes are durable afterwards; the name is not.
    /// - Throws: `ContentError`; there is no file then.
    fileprivate func make(
        _ path: String, _ block: MemoryBlock?, syncs: Bool
    ) throws(ContentError) {
        let file = try open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600, operation: "open")
        let number = file.rawValue
        do throws(ContentError) {
            try health.watch { () throws(ContentError) in
                if let block { try unsafe PartFile.write(block.bytes(), to: number, at: 0) }
                if syncs { try attemptOnce("fdatasync") { fdatasync(number) } }
            }
        } catch {
            // The sweep removes the file later if this fails.
            do throws(ContentError) { try remove(path) } catch {}
            throw error
        }
    }
}

extension Result {
    fileprivate var isSuccess: Bool {
        guard case .success = self else { return false }
        return true
    }
}
