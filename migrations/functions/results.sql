-- The results of downloads: every statement that ends a download, or an attempt of one, writes its result here. Lock
-- order: queue rows, requests, results, contents.

-- Writes results, replacing existing ones; the first start stays.
CREATE FUNCTION lull_keep_results(p_results download_results[]) RETURNS int LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    UPDATE download_results r SET finished_at = n.finished_at, started_at = coalesce(r.started_at, n.started_at),
        bytes = n.bytes, content_fence = n.content_fence, attempts = n.attempts, sequence = n.sequence,
        state = n.state, result = n.result
    FROM unnest(p_results) n WHERE r.id = n.id;
    INSERT INTO download_results SELECT n.* FROM unnest(p_results) n
        WHERE NOT EXISTS (SELECT 1 FROM download_results r WHERE r.id = n.id);
    RETURN cardinality(p_results);
END $$;
