// Several statements in one round trip.

extension PostgresConnection {
    /// Runs statements in order, all or none, and reads all rows.
    ///
    /// - Parameter batch: at most 256 statements; none may depend on rows of another.
    /// - Returns: the rows of each statement.
    /// - Throws: as `query`, for the first statement that failed; 26000 and 0A000 may go away when
    ///   the batch is tried again.
    package func query(batch: [Statement]) throws(PostgresError) -> [Rows] {
        precondition(batch.count <= 256, "a batch has at most 256 statements")
        guard !batch.isEmpty else { return [] }
        let inTransaction = try prepareToSend()
        let isFirst = options.keepsSettingsInTransactions && !inTransaction
        let plan = plan(
            isFirst ? [Statement(options.settingsOfTransaction)] + batch : batch)
        var rows: [Rows] = []
        var failure: PostgresError?
        let end = run(plan.map(\.step)) { index, result in
            guard failure == nil else { return }
            guard result.isSuccess else {
                failure = error(result, inTransaction: inTransaction)
                return
            }
            switch plan[index].step {
            case .prepare(let name, _, _): statements.insert(plan[index].key, name: name)
            case .execute, .executeOnce: rows.append(result.rows())
            }
        }
        if case .late = end { throw giveUp(inTransaction) }
        guard case .complete = end else {
            let message = failure?.message ?? handle?.message ?? "the connection is closed"
            close()
            throw PostgresError(inTransaction ? .connectionLost : .outcomeUnknown, message)
        }
        if let failure {
            if failure.meansStalePlan { plan.forEach { statements.remove($0.key) } }
            throw failure
        }
        try deallocateSurplus()
        return isFirst ? Array(rows.dropFirst()) : rows
    }

    private func run(
        _ steps: [ConnectionHandle.Step], receive: (Int, consuming ResultHandle) -> Void
    ) -> ConnectionHandle.PipelineEnd {
        switch handle {
        case .some(let handle): handle.pipeline(steps, receive: receive)
        case nil: .broken
        }
    }

    /// Makes the steps of a batch; a repeated text is prepared once.
    private func plan(
        _ batch: [Statement]
    ) -> [(key: StatementCache.Key, step: ConnectionHandle.Step)] {
        var steps: [(key: StatementCache.Key, step: ConnectionHandle.Step)] = []
        var fresh: [StatementCache.Key: String] = [:]
        for statement in batch {
            let list = ParameterList(statement.parameters)
            let key = StatementCache.Key(sql: statement.sql, types: list.types)
            guard options.preparesStatements, statement.isPrepared else {
                steps.append((key, .executeOnce(key.sql, list)))
                continue
            }
            if let name = statements.name(of: key) ?? fresh[key] {
                steps.append((key, .execute(prepared: name, list)))
                continue
            }
            let name = statements.makeName()
            fresh[key] = name
            steps.append((key, .prepare(name: name, sql: key.sql, types: key.types)))
            steps.append((key, .execute(prepared: name, list)))
        }
        return steps
    }
}
