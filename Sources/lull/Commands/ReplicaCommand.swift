// `lull replicas`: lists the replicas, and gives up all files or the missing files of one.
internal import Base
internal import Client
internal import Platform
internal import Postgres
internal import Store

/// A query or change of the replicas of a deployment.
enum ReplicaCommand: Sendable {
    /// Print all replicas.
    case list
    /// Count all content of a replica as lost.
    case forget(Int64)
    /// Count the missing files of a replica as lost.
    case acceptLoss(Int64)

    /// Reads the arguments of the command; opens nothing.
    init(_ arguments: Arguments) throws(UsageError) {
        guard let text = arguments.operands.first else {
            self = .list
            return
        }
        guard let number = Int64(text), number > 0 else {
            throw UsageError(
                "N is the number in the first column of lull replicas", arguments.command.words)
        }
        self =
            arguments.command.words.contains("forget") ? .forget(number) : .acceptLoss(number)
    }

    /// Performs the query or change.
    ///
    /// - Throws: `CommandError` where there is no deployment, no such replica, or one that works.
    func run(_ configuration: Configuration) async throws {
        try await Database.lend(configuration) { pool in
            try await perform(
                Downloads(
                    pool: pool, changes: ChangeHub(),
                    isAllowed: { configuration.allows($0, app: $1) }))
        }
    }

    private func perform(_ downloads: Downloads) async throws {
        switch self {
        case .list:
            for record in try await downloads.replicas.list() {
                print(ReplicaCommand.line(of: record))
            }
        case .forget(let number):
            switch try await downloads.replicas.abandon(number) {
            case .unknown:
                throw CommandError("there is no replica \(number); lull replicas lists them")
            case .works:
                throw CommandError(
                    "replica \(number) is running; stop it first, and wait until its lease has "
                        + "expired")
            case .done(let instance): try await lose(number, instance, downloads)
            }
        case .acceptLoss(let number):
            switch try await downloads.replicas.acceptLoss(of: number) {
            case .unknown:
                throw CommandError("there is no replica \(number); lull replicas lists them")
            case .away:
                throw CommandError(
                    "replica \(number) is not running; lull replicas forget \(number) gives up all "
                        + "of its files")
            case .nothingMissing:
                throw CommandError("replica \(number) has no missing files to give up")
            case .done(let count):
                complain(
                    "replica \(number): \(count) missing files will count as lost within a minute")
            }
        }
    }

    /// Marks the files as lost at once, which every replica would do soon.
    ///
    /// Files that wait for a store come first: a data directory whose files are marked is not
    /// looked at again.
    private func lose(
        _ number: Int64, _ instance: Identifier, _ downloads: Downloads
    ) async throws {
        let batch = 100
        var (after, files, refetched): (Identifier?, Int, Int) = (nil, 0, 0)
        while try await Uploads(downloads).lose(from: instance, limit: batch) == batch {}
        while true {
            let count = try await downloads.refetchReceived(from: instance, limit: batch)
            refetched += count
            if count < batch { break }
        }
        while let loss = try await downloads.contents.markLost(
            of: instance, after: after, limit: batch)
        {
            files += loss.count
            refetched += loss.refetched
            guard let last = loss.last else {
                complain("replica \(number): \(files) files are lost, \(refetched) fetched again")
                return
            }
            after = last
        }
        complain("replica \(number): a running replica will now count its content as lost")
    }

    private static func line(of record: ReplicaRecord) -> String {
        [
            "\(record.number)", record.node ?? "unknown", record.address ?? "none",
            record.works ? "works since" : "away since", record.since.rfc3339,
            "\(record.files) files", "\(record.bytes) bytes",
        ].joined(separator: "\t")
            + (record.missing > 0 ? "\t\(record.missing) missing" : "")
    }
}
