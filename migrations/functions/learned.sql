-- Sketches of measured values: added over all replicas, halved each week.

-- Adds a part of the first array of counts to the second one, each aligned at its first bucket. A weight that halving
-- has made tiny counts as zero.
CREATE FUNCTION lull_add_counts(
    p_first int, p_counts real[], p_part double precision, q_first int, q_counts real[]
) RETURNS real[] LANGUAGE sql IMMUTABLE AS $$
    SELECT array_agg((CASE WHEN z.sum < 0.001 THEN 0 ELSE z.sum END)::real ORDER BY z.bucket) FROM (
        SELECT i AS bucket, coalesce(p_counts[i - p_first + 1], 0)::double precision * p_part
            + coalesce(q_counts[i - q_first + 1], 0) AS sum
        FROM generate_series(least(p_first, q_first),
            greatest(p_first + cardinality(p_counts), q_first + cardinality(q_counts)) - 1) i) z
$$;

-- The whole weeks between two instants, at least 0.
CREATE FUNCTION lull_weeks(p_from timestamptz, p_to timestamptz) RETURNS int LANGUAGE sql IMMUTABLE AS $$
    SELECT greatest(0, floor(extract(epoch FROM p_to - p_from) / 604800))::int
$$;

-- Adds the measurements of a replica. The given keys are distinct. New keys are left out unless p_grows, which keeps
-- their number bounded. In one order, so that two calls cannot wait for each other.
CREATE FUNCTION lull_learn(
    p_measures smallint[], p_levels smallint[], p_first_keys bigint[], p_second_keys bigint[],
    p_first_buckets smallint[], p_counts text[], p_grows boolean
) RETURNS void LANGUAGE sql AS $$
    INSERT INTO learned AS l (measure, level, first_key, second_key, first_bucket, counts, faded_at, changed_at)
    SELECT u.measure, u.level, u.first_key, u.second_key, u.first_bucket, u.counts::real[], t.now, t.now
    FROM unnest(p_measures, p_levels, p_first_keys, p_second_keys, p_first_buckets, p_counts)
        u(measure, level, first_key, second_key, first_bucket, counts)
    CROSS JOIN (SELECT clock_timestamp() AS now OFFSET 0) t
    WHERE p_grows OR EXISTS (SELECT 1 FROM learned k WHERE k.measure = u.measure AND k.level = u.level
        AND k.first_key = u.first_key AND k.second_key = u.second_key)
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (measure, level, first_key, second_key) DO UPDATE SET
        counts = lull_add_counts(l.first_bucket, l.counts,
            power(0.5, least(1000, lull_weeks(l.faded_at, excluded.faded_at))), excluded.first_bucket, excluded.counts),
        first_bucket = least(l.first_bucket, excluded.first_bucket),
        faded_at = l.faded_at + lull_weeks(l.faded_at, excluded.faded_at) * interval '7 days',
        changed_at = greatest(l.changed_at, excluded.changed_at)
$$;
