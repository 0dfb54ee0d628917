/// The items of all pages of a list, page after page as they are read.
public struct PageSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// How reading fails.
    public typealias Failure = LullError
    typealias Page = (items: [Element], next: String?)

    let page: @Sendable (String?) async throws(LullError) -> (items: [Element], next: String?)

    /// Begins with the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(page: page)
    }

    /// Reads one page at a time.
    public struct Iterator: AsyncIteratorProtocol {
        let page: @Sendable (String?) async throws(LullError) -> (items: [Element], next: String?)
        private var items: ArraySlice<Element> = []
        private var cursor: String?
        private var isLast = false

        init(
            page:
                @escaping @Sendable (String?) async throws(LullError) -> (
                    items: [Element], next: String?
                )
        ) {
            self.page = page
        }

        /// The next item; nil behind the last one.
        public mutating func next() async throws(LullError) -> Element? {
            while items.isEmpty {
                if isLast { return nil }
                let (more, next) = try await page(cursor)
                items = more[...]
                cursor = next
                isLast = next == nil
            }
            return items.removeFirst()
        }
    }
}

extension Lull {
    /// All downloads that a filter matches, the newest first.
    ///
    /// - Parameters:
    ///   - state: only these states.
    ///   - session: only this session.
    ///   - metadata: only with these texts in their metadata.
    /// - Returns: the downloads; nothing is asked for before they are read.
    public func downloads(
        state: [DownloadState]? = nil, session: String? = nil, metadata: [String: String]? = nil
    ) -> PageSequence<Download> {
        PageSequence { cursor throws(LullError) in
            let page = try await listDownloads(
                limit: 200, cursor: cursor, state: state, session: session, metadata: metadata)
            return (page.data, page.nextCursor)
        }
    }

    /// All uploads that a filter matches, the newest first.
    public func uploads(
        state: [DownloadState]? = nil, session: String? = nil, metadata: [String: String]? = nil
    ) -> PageSequence<Upload> {
        PageSequence { cursor throws(LullError) in
            let page = try await listUploads(
                limit: 200, cursor: cursor, state: state, session: session, metadata: metadata)
            return (page.data, page.nextCursor)
        }
    }

    /// All events that are kept, the oldest first, up to now.
    public func journal(
        after: String? = nil, session: String? = nil, types: [EventName]? = nil
    ) -> PageSequence<JournalEvent> {
        PageSequence { cursor throws(LullError) in
            let page = try await listEvents(
                after: cursor ?? after, types: types, session: session, limit: 200)
            return (page.data, page.nextCursor)
        }
    }

    /// All webhook deliveries, the newest first.
    public func deliveries(endpoint: String? = nil) -> PageSequence<WebhookDelivery> {
        PageSequence { cursor throws(LullError) in
            let page = try await listWebhookDeliveries(
                limit: 100, cursor: cursor, endpoint: endpoint)
            return (page.data, page.nextCursor)
        }
    }
}
