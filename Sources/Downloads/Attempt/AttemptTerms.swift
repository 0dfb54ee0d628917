// The parameters of one attempt, which hold from its beginning to its end.

/// The terms of one attempt, from the claim and the deployment.
package struct AttemptTerms: Sendable {
    /// The URL that is asked.
    package var address: String
    /// The fence of the attempt, by which its part file is named.
    package var fence: Int64
    /// The data directory of this process.
    package var instance: String
    /// The resume point of earlier attempts; nil for none.
    package var resume: ResumePoint?
    /// Bytes in the file according to the row, synced or not.
    package var received: Int64 = 0
    /// The method of the request.
    package var method = RequestMethod.get
    /// Whether the request goes through a proxy; only then a 407 is the proxy's.
    package var isProxied = false
    /// Whether an earlier attempt was lost after a request that must not be sent twice.
    package var mayHaveBeenSent = false
    /// The client's demands on the content.
    package var rules = ContentRules()
    /// The digest that the client expects of the whole.
    package var expectedDigest: ExpectedDigest?
    /// The length in bytes that the client expects.
    package var expectedLength: Int64?
    /// The known version of the content; nil to fetch the content in any case.
    package var condition: ChangeCondition?
    /// The most streams at once; more than 1 only for a fast transfer.
    package var streams = 1
    /// The least number of missing bytes for a file to be cut into segments.
    package var segmentsAtLeast: Int64 = 64 << 20
    /// Knowledge about the download's addresses; nil with one address.
    package var mirrors: MirrorBook?
    /// The origins of all addresses in their order, nil for an address that is no URL; empty with
    /// one address.
    package var origins: [String?] = []
    /// Whether other downloads may share this transfer, so that its bytes stay when the client
    /// cancels it.
    package var isShared = false
    /// Whether the download waits for connectivity.
    package var waitsForConnectivity = false
    /// Whether the download waits with others of its origin for one that probes it.
    package var sharesProbe = false
    /// Attempts without progress before this one.
    package var attemptsWithoutProgress = 0
    /// The client's rule for statuses to repeat; nil for none.
    package var retryRule: RetryRule?

    /// The terms of a GET of one address, with default values.
    package init(address: String, fence: Int64, instance: String) {
        self.address = address
        self.fence = fence
        self.instance = instance
    }

    /// The most bytes that the content may have; nil for no bound.
    package var mostBytes: Int64? {
        let expected = rules.requiresExpectedLength ?? false ? expectedLength : nil
        guard let most = rules.maximumBytes, let expected else {
            return rules.maximumBytes ?? expected
        }
        return min(most, expected)
    }

    /// The failure of content longer than ``mostBytes``.
    var overBound: DownloadFailure? {
        mostBytes.map { most in
            most == rules.maximumBytes
                ? .tooLong(nil, most: most) : .otherThanExpected(nil, expected: most)
        }
    }
}
