// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// The members of the request that are sent from now on; null removes one.
public struct SentAgain: Codable, Hashable, Sendable {
    /// `headers` of the API.
    public var headers: Change<[String: String]>?
    /// `body` of the API.
    public var body: Change<String>?
    /// `body_base64` of the API.
    public var bodyBase64: Change<String>?
    /// `authorization` of the API.
    public var authorization: Change<Authorization>?
    /// `proxy` of the API.
    public var proxy: Change<Proxy>?
    /// Headers and credentials for the hook of the download.
    public var beginHook: Change<SentAgainBeginHook>?
    /// Headers and credentials for the receiver of the file, and for its hook.
    public var destination: Change<SentAgainDestination>?

    /// Makes one of its members; those that are left out are nil.
    public init(
        headers: Change<[String: String]>? = nil,
        body: Change<String>? = nil,
        bodyBase64: Change<String>? = nil,
        authorization: Change<Authorization>? = nil,
        proxy: Change<Proxy>? = nil,
        beginHook: Change<SentAgainBeginHook>? = nil,
        destination: Change<SentAgainDestination>? = nil
    ) {
        self.headers = headers
        self.body = body
        self.bodyBase64 = bodyBase64
        self.authorization = authorization
        self.proxy = proxy
        self.beginHook = beginHook
        self.destination = destination
    }

    private enum CodingKeys: String, CodingKey {
        case headers
        case body
        case bodyBase64 = "body_base64"
        case authorization
        case proxy
        case beginHook = "begin_hook"
        case destination
    }

    /// Reads its members.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.headers = try members.change([String: String].self, at: .headers)
        self.body = try members.change(String.self, at: .body)
        self.bodyBase64 = try members.change(String.self, at: .bodyBase64)
        self.authorization = try members.change(Authorization.self, at: .authorization)
        self.proxy = try members.change(Proxy.self, at: .proxy)
        self.beginHook = try members.change(SentAgainBeginHook.self, at: .beginHook)
        self.destination = try members.change(SentAgainDestination.self, at: .destination)
    }

    /// Writes its members; a required one that is nil is null.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(self.headers, forKey: .headers)
        try members.encodeIfPresent(self.body, forKey: .body)
        try members.encodeIfPresent(self.bodyBase64, forKey: .bodyBase64)
        try members.encodeIfPresent(self.authorization, forKey: .authorization)
        try members.encodeIfPresent(self.proxy, forKey: .proxy)
        try members.encodeIfPresent(self.beginHook, forKey: .beginHook)
        try members.encodeIfPresent(self.destination, forKey: .destination)
    }

    /// Headers and credentials for the hook of the download.
    public struct SentAgainBeginHook: Codable, Hashable, Sendable {
        /// Fields that every webhook to this receiver carries (of a session: those to its
        /// `webhook_url`, and to the `webhook_url` of its downloads at the same origin), at most
        /// 16; sealed, and shown by their names.
        ///
        /// None may be one that this service sets (`Content-Type`, `User-Agent`, `traceparent`,
        /// `webhook-*`, `ce-*`). PATCH merges them by name, null removes. They belong to the origin
        /// of `url`: with a `url` of another origin they are dropped, unless they are given anew,
        /// and `dropped` says so.
        public var headers: Change<[String: String?]>?
        /// Credentials for the receiver, kept and dropped as `headers` are; shown by their type.
        public var authorization: Change<ReceiverAuthorization>?

        /// Makes one of its members; those that are left out are nil.
        public init(
            headers: Change<[String: String?]>? = nil,
            authorization: Change<ReceiverAuthorization>? = nil
        ) {
            self.headers = headers
            self.authorization = authorization
        }

        private enum CodingKeys: String, CodingKey {
            case headers
            case authorization
        }

        /// Reads its members.
        public init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            self.headers = try members.change([String: String?].self, at: .headers)
            self.authorization = try members.change(ReceiverAuthorization.self, at: .authorization)
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encodeIfPresent(self.headers, forKey: .headers)
            try members.encodeIfPresent(self.authorization, forKey: .authorization)
        }
    }

    /// Headers and credentials for the receiver of the file, and for its hook.
    public struct SentAgainDestination: Codable, Hashable, Sendable {
        /// `headers` of the API.
        public var headers: Change<[String: String?]>?
        /// Credentials for the receiver, kept and dropped as `headers` are; shown by their type.
        public var authorization: Change<ReceiverAuthorization>?
        /// `hook` of the API.
        public var hook: Change<Hook>?

        /// Makes one of its members; those that are left out are nil.
        public init(
            headers: Change<[String: String?]>? = nil,
            authorization: Change<ReceiverAuthorization>? = nil,
            hook: Change<Hook>? = nil
        ) {
            self.headers = headers
            self.authorization = authorization
            self.hook = hook
        }

        private enum CodingKeys: String, CodingKey {
            case headers
            case authorization
            case hook
        }

        /// Reads its members.
        public init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            self.headers = try members.change([String: String?].self, at: .headers)
            self.authorization = try members.change(ReceiverAuthorization.self, at: .authorization)
            self.hook = try members.change(Hook.self, at: .hook)
        }

        /// Writes its members; a required one that is nil is null.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encodeIfPresent(self.headers, forKey: .headers)
            try members.encodeIfPresent(self.authorization, forKey: .authorization)
            try members.encodeIfPresent(self.hook, forKey: .hook)
        }

        /// `Hook` of the API.
        public struct Hook: Codable, Hashable, Sendable {
            /// Fields that every webhook to this receiver carries (of a session: those to its
            /// `webhook_url`, and to the `webhook_url` of its downloads at the same origin), at
            /// most 16; sealed, and shown by their names.
            ///
            /// None may be one that this service sets (`Content-Type`, `User-Agent`, `traceparent`,
            /// `webhook-*`, `ce-*`). PATCH merges them by name, null removes. They belong to the
            /// origin of `url`: with a `url` of another origin they are dropped, unless they are
            /// given anew, and `dropped` says so.
            public var headers: Change<[String: String?]>?
            /// Credentials for the receiver, kept and dropped as `headers` are; shown by their
            /// type.
            public var authorization: Change<ReceiverAuthorization>?

            /// Makes one of its members; those that are left out are nil.
            public init(
                headers: Change<[String: String?]>? = nil,
                authorization: Change<ReceiverAuthorization>? = nil
            ) {
                self.headers = headers
                self.authorization = authorization
            }

            private enum CodingKeys: String, CodingKey {
                case headers
                case authorization
            }

            /// Reads its members.
            public init(from decoder: any Decoder) throws {
                let members = try decoder.container(keyedBy: CodingKeys.self)
                self.headers = try members.change([String: String?].self, at: .headers)
                self.authorization = try members.change(ReceiverAuthorization.self, at: .authorization)
            }

            /// Writes its members; a required one that is nil is null.
            public func encode(to encoder: any Encoder) throws {
                var members = encoder.container(keyedBy: CodingKeys.self)
                try members.encodeIfPresent(self.headers, forKey: .headers)
                try members.encodeIfPresent(self.authorization, forKey: .authorization)
            }
        }
    }
}
