// The hosts that a URL names; see chapter 34.1.1.3 of the manual.
internal import CPostgres

/// One of the hosts of a URL.
struct ServerHost: Equatable {
    /// The parameters that identify the host: `host`, `hostaddr` and `port`, as far as the URL has
    /// them.
    let parameters: [(String, String)]

    /// The hosts of a URL in their order; empty for a URL that cannot be read.
    static func list(in url: String) -> [ServerHost] {
        guard let options = unsafe PQconninfoParse(url, nil) else { return [] }
        defer { unsafe PQconninfoFree(options) }
        var lists: [(name: String, values: [String])] = []
        var next = unsafe options
        while let keyword = unsafe next.pointee.keyword {
            let name = unsafe String(cString: keyword)
            if ["host", "hostaddr", "port"].contains(name), let text = unsafe next.pointee.val {
                let values = unsafe String(cString: text).split(
                    separator: ",", omittingEmptySubsequences: false)
                lists.append((name, values.map(String.init)))
            }
            unsafe next += 1
        }
        let count = lists.filter { $0.name != "port" }.map(\.values.count).max() ?? 0
        return (0..<count).map { index in
            ServerHost(
                parameters: lists.compactMap { name, values in
                    // A single value holds for every host.
                    let value = values.count == 1 ? values[0] : values[min(index, values.count - 1)]
                    return value.isEmpty ? nil : (name, value)
                })
        }
    }

    static func == (left: ServerHost, right: ServerHost) -> Bool {
        left.parameters.elementsEqual(right.parameters, by: ==)
    }
}
