// What one attempt is given: all that holds from its beginning to its end.

/// The terms of one attempt, from the claim and the deployment.
package struct AttemptTerms: Sendable {
    /// The URL that is asked.
    package var address: String
    /// The fence of the attempt, by which its part file is named.
    package var fence: Int64
    /// The data directory of this process.
    package var instance: String
    /// What earlier attempts left; nil for nothing.
    package var resume: ResumePoint?
    /// Bytes that were here according to the row, synced or not.
    package var received: Int64 = 0
    /// How the origin is asked.
    package var method = RequestMethod.get
    /// Whether a proxy is asked, which a 407 comes from then.
    package var isProxied = false
    /// Whether an earlier attempt was lost after a request that must not be sent twice.
    package var mayHaveBeenSent = false
    /// What the client demands of the content.
    package var rules = ContentRules()
    /// The digest that the client expects of the whole.
    package var expectedDigest: ExpectedDigest?
    /// The bytes that the client expects.
    package var expectedLength: Int64?
    /// The most streams at once; more than 1 only for a fast transfer.
    package var streams = 1
    /// A file is cut only while at least so many bytes are missing.
    package var segmentsAtLeast: Int64 = 64 << 20
    /// What is known of the download's addresses; nil with one.
    package var mirrors: MirrorBook?
    /// The origins of all addresses in their order, nil for what is no URL; empty with one address.
    package var origins: [String?] = []
    /// Whether others may have joined it, so that its bytes stay when its client cancels it.
    package var isShared = false
    /// Whether the download waits for connectivity.
    package var waitsForConnectivity = false
    /// Whether it waits with others for the one that tries again.
    package var sharesProbe = false
    /// Attempts without progress before this one.
    package var attemptsWithoutProgress = 0
    /// The statuses that the client wants repeated apart; nil for none.
    package var retryRule: RetryRule?

    /// A GET of one address that nothing is known of.
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
