// The account that the server runs as: it refuses to run as root.
internal import Glibc

/// A system account for the server.
struct ServerAccount: Equatable {
    /// The account's name, or its number if it has none.
    let name: String
    /// The user's number.
    let userID: uid_t
    /// The number of its first group.
    let groupID: gid_t

    /// Chooses the account for a cluster; nil for the account of this process.
    ///
    /// - Parameter owner: who owns the cluster already, if there is one.
    /// - Returns: the account.
    /// - Throws: `serverAccount` or `serverDirectory`.
    static func choose(clusterOwner owner: uid_t?) throws(PostgresError) -> ServerAccount? {
        let own = geteuid()
        guard own == 0 else {
            if let owner, owner != own {
                throw PostgresError(
                    .serverDirectory,
                    "the private database belongs to user \(owner), but lull runs as user \(own): "
                        + "run it as \(owner)")
            }
            return nil
        }
        if let owner, owner != 0 {
            return named(String(owner))
                ?? ServerAccount(name: String(owner), userID: owner, groupID: owner)
        }
        for name in ["postgres", "nobody"] {
            if let account = named(name), account.userID != 0 { return account }
        }
        throw PostgresError(
            .serverAccount,
            "PostgreSQL refuses to run as root, and there is no user postgres or nobody: run lull "
                + "as another user")
    }

    /// The command words that run a program as this account; see setpriv(1).
    var prefix: [String] {
        ["setpriv", "--reuid=\(userID)", "--regid=\(groupID)", "--clear-groups", "--"]
    }

    /// Looks an account up by name or number; see getpwnam_r(3).
    private static func named(_ name: String) -> ServerAccount? {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var room = [CChar](repeating: 0, count: 16_384)
        let number = uid_t(name)
        let failure =
            if let number {
                unsafe getpwuid_r(number, &entry, &room, room.count, &found)
            } else {
                unsafe getpwnam_r(name, &entry, &room, room.count, &found)
            }
        guard failure == 0, unsafe found != nil, let spelled = unsafe entry.pw_name else {
            return nil
        }
        return unsafe ServerAccount(
            name: String(cString: spelled), userID: entry.pw_uid, groupID: entry.pw_gid)
    }
}
