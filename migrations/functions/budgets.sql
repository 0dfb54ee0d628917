-- Budgets: a claim reserves bytes in its transaction, reports count the received bytes, and the end of a run gives the
-- rest back. Lock order: queue rows by id, counters by number, then as in lanes.sql. A claim takes its counters before
-- its queue rows, for which it never waits. p_budgets is {"counters": [{"owner", "budget", "value", "from", "to",
-- "bytes", "counts", "hard"}, ...], "of": [[place, counter, allowance, most], ...], "chunk": bytes}: "of" says which
-- lanes of a claim, or runs of a report, use which counters; places are counted from 1. "chunk" is the least number of
-- bytes that a running download reserves beyond its expected ones, and what an unknown size counts as.

-- The bytes that a budget counts, of the received and the sent bytes: the received ones, the sent ones or both.
CREATE FUNCTION lull_budget_bytes(p_counts smallint, p_received bigint, p_sent bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE p_counts WHEN lull_budget_counts('received') THEN p_received
        WHEN lull_budget_counts('sent') THEN p_sent ELSE p_received + p_sent END
$$;

-- Creates the missing counters.
CREATE FUNCTION lull_make_counters(p_budgets jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    -- In one order, so that two calls cannot wait for each other.
    INSERT INTO budget_counters (owner, budget, value, starts_at, ends_at)
        SELECT u.owner, u.budget, u.value, u."from", u."to"
        FROM jsonb_to_recordset(p_budgets->'counters')
            u(owner text, budget text, value text, "from" timestamptz, "to" timestamptz)
        WHERE NOT EXISTS (SELECT 1 FROM budget_counters c
            WHERE c.budget = u.budget AND c.owner = u.owner AND c.value = u.value
                AND c.starts_at = u."from" AND c.ends_at = u."to")
        ORDER BY u.budget, u.owner, u.value, u."from", u."to"
        ON CONFLICT DO NOTHING;
END $$;

-- Locks the counters, which exist, and returns each with its number.
CREATE FUNCTION lull_lock_counters(p_budgets jsonb)
RETURNS TABLE (place int, counter_no bigint, spent bigint, reserved bigint, bytes bigint, counts smallint, is_hard bool)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT z.place::int, c.counter_no, c.spent, c.reserved, (z.item->>'bytes')::bigint,
            lull_budget_counts(z.item->>'counts'), (z.item->>'hard')::bool
        FROM jsonb_array_elements(p_budgets->'counters') WITH ORDINALITY z(item, place)
        JOIN budget_counters c ON c.budget = z.item->>'budget' AND c.owner = z.item->>'owner'
            AND c.value = z.item->>'value' AND c.starts_at = (z.item->>'from')::timestamptz
            AND c.ends_at = (z.item->>'to')::timestamptz
        ORDER BY c.counter_no FOR NO KEY UPDATE OF c;
END $$;

-- For each lane of a claim: the most bytes that a download of it may expect to receive; null for no limit. The counters
-- are locked from here on.
CREATE FUNCTION lull_budget_bounds(p_budgets jsonb, p_lanes int) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
    bounds bigint[];
BEGIN
    PERFORM lull_make_counters(p_budgets);
    SELECT array_agg(z.bound ORDER BY z.place) INTO bounds FROM (
        SELECT n.place, min(CASE
            WHEN c.counts = lull_budget_counts('sent') THEN NULL
            WHEN (o.pair->>3)::bigint <= (o.pair->>2)::bigint - c.spent - c.reserved THEN NULL
            ELSE greatest(0, (o.pair->>2)::bigint - c.spent - c.reserved) END) AS bound
        FROM generate_series(1, p_lanes) n(place)
        LEFT JOIN jsonb_array_elements(p_budgets->'of') o(pair) ON (o.pair->>0)::int = n.place
        LEFT JOIN lull_lock_counters(p_budgets) c ON c.place = (o.pair->>1)::int
        GROUP BY 1) z;
    RETURN bounds;
END $$;

-- Reserves the expected bytes of the rows of a claim, in their order, and returns the rows for which there were enough,
-- each with its reservations. Other rows are skipped.
CREATE FUNCTION lull_reserve_budgets(p_runs budget_claim[], p_budgets jsonb)
RETURNS TABLE (id uuid, holds budget_hold[]) LANGUAGE plpgsql STRICT AS $$
#variable_conflict use_column
DECLARE
    numbers bigint[]; kinds smallint[]; free bigint[]; taken bigint[]; places int[]; allowed bigint[]; most bigint[];
    run budget_claim; pair record; needs bigint[]; sends bigint; fits bool; k int; comes bigint;
    least_chunk bigint := (p_budgets->>'chunk')::bigint;
BEGIN
    SELECT array_agg(c.counter_no ORDER BY c.place), array_agg(c.counts ORDER BY c.place),
            array_agg(c.spent + c.reserved ORDER BY c.place), array_agg(0::bigint ORDER BY c.place)
        INTO numbers, kinds, free, taken FROM lull_lock_counters(p_budgets) c;
    FOREACH run IN ARRAY p_runs LOOP
        -- A file that waits to be sent brings no bytes, and sends all of them.
        SELECT CASE WHEN q.lane_flags & lull_lane_flag('sends') <> 0 THEN q.bytes END,
                CASE WHEN q.lane_flags & lull_lane_flag('sends') <> 0 THEN 0
                    ELSE coalesce(nullif(run.need, 0), least_chunk) END
            INTO sends, comes FROM queue q WHERE q.id = run.id;
        fits := true;
        holds := NULL;
        needs := NULL;
        places := NULL;
        FOR pair IN
            SELECT (o.pair->>1)::int AS counter, (o.pair->>2)::bigint AS allowance, (o.pair->>3)::bigint AS most
            FROM jsonb_array_elements(p_budgets->'of') o(pair) WHERE (o.pair->>0)::int = run.place
        LOOP
            k := pair.counter;
            IF sends IS NULL AND kinds[k] <> lull_budget_counts('received') THEN
                SELECT coalesce(CASE jsonb_typeof(d.spec->'count_of_bytes_client_expects_to_send') WHEN 'number'
                    THEN (d.spec->>'count_of_bytes_client_expects_to_send')::numeric::bigint END, 0)
                    INTO sends FROM download_requests d WHERE d.id = run.id;
            END IF;
            places := places || k;
            needs := needs || least(pair.most, lull_budget_bytes(kinds[k],
                comes, coalesce(sends, 0)));
            fits := fits AND free[k] + needs[cardinality(needs)] <= pair.allowance;
        END LOOP;
        CONTINUE WHEN NOT fits;
        FOR n IN 1..coalesce(cardinality(places), 0) LOOP
            k := places[n];
            free[k] := free[k] + needs[n];
            taken[k] := taken[k] + needs[n];
            holds := holds || ROW(numbers[k], needs[n], kinds[k])::budget_hold;
        END LOOP;
        id := run.id;
        RETURN NEXT;
    END LOOP;
    UPDATE budget_counters c SET reserved = c.reserved + t.bytes
        FROM unnest(numbers, taken) t(counter_no, bytes) WHERE c.counter_no = t.counter_no AND t.bytes > 0;
END $$;

-- Counts the bytes that running downloads received since the last report, and reserves more for downloads that receive
-- more than expected: a chunk at a time, a tenth of the expected bytes and at least the least one. For a counter that
-- is new to the download, as at the beginning of a period, it reserves the remaining bytes. Returns the runs that have
-- to stop because a hard budget has no bytes left for them.
--
-- p_received, p_sent: bytes of the attempt so far; p_whole: the expected bytes of the whole attempt, 0 if unknown.
CREATE FUNCTION lull_settle_budgets(
    p_replica bigint, p_id uuid[], p_fence bigint[], p_received bigint[], p_sent bigint[], p_whole bigint[],
    p_to_send bigint[], p_budgets jsonb
) RETURNS TABLE (id uuid, is_refused bool) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    numbers bigint[]; kinds smallint[]; sizes bigint[]; hard bool[]; used bigint[]; spends bigint[]; holds bigint[];
    run record; hold budget_hold; pair record; kept budget_hold[]; k int; came bigint; part bigint; total bigint;
    whole bigint; chunk bigint; grant_ bigint; is_there bool; is_open bool; old bigint[]; oldheld bigint[];
    least_chunk bigint := (p_budgets->>'chunk')::bigint;
BEGIN
    PERFORM 1 FROM queue q JOIN unnest(p_id, p_fence) u(id, fence) ON u.id = q.id
        WHERE q.replica_no = p_replica AND q.fence = u.fence ORDER BY q.id FOR UPDATE OF q;
    PERFORM lull_make_counters(p_budgets);
    -- Locks the counters that are used now and the ones that are held and not used any more, in one order.
    PERFORM 1 FROM budget_counters c WHERE c.counter_no IN (
            SELECT h.counter_no FROM queue q CROSS JOIN LATERAL unnest(q.budget_holds) h
            WHERE q.id = ANY (p_id) AND q.replica_no = p_replica
            UNION ALL
            SELECT w.counter_no
            FROM jsonb_to_recordset(p_budgets->'counters')
                u(owner text, budget text, value text, "from" timestamptz, "to" timestamptz)
            JOIN budget_counters w ON w.budget = u.budget AND w.owner = u.owner AND w.value = u.value
                AND w.starts_at = u."from" AND w.ends_at = u."to")
        ORDER BY c.counter_no FOR NO KEY UPDATE;
    SELECT array_agg(c.counter_no ORDER BY c.place), array_agg(c.counts ORDER BY c.place),
            array_agg(c.bytes ORDER BY c.place), array_agg(c.is_hard ORDER BY c.place),
            array_agg(c.spent + c.reserved ORDER BY c.place), array_agg(0::bigint ORDER BY c.place),
            array_agg(0::bigint ORDER BY c.place)
        INTO numbers, kinds, sizes, hard, used, spends, holds FROM lull_lock_counters(p_budgets) c;
    FOR run IN
        SELECT q.id, q.budget_holds, q.budget_counted, u.*
        FROM unnest(p_id, p_fence, p_received, p_sent, p_whole, p_to_send) WITH ORDINALITY
            u(run_id, fence, received, sent, whole, to_send, place)
        JOIN queue q ON q.id = u.run_id
        WHERE q.replica_no = p_replica AND q.fence = u.fence
        ORDER BY u.place
    LOOP
        is_refused := false;
        kept := NULL;
        FOR pair IN
            SELECT (o.pair->>1)::int AS counter FROM jsonb_array_elements(p_budgets->'of') o(pair)
            WHERE (o.pair->>0)::int = run.place
        LOOP
            k := pair.counter;
            part := 0;
            is_there := false;
            IF run.budget_holds IS NOT NULL THEN
                FOREACH hold IN ARRAY run.budget_holds LOOP
                    IF hold.counter_no = numbers[k] THEN
                        part := hold.held;
                        is_there := true;
                    END IF;
                END LOOP;
            END IF;
            -- A late report has fewer bytes than are counted already.
            total := lull_budget_bytes(kinds[k], greatest(run.received, (run.budget_counted)[1]),
                greatest(run.sent, (run.budget_counted)[2]));
            came := greatest(0, total - lull_budget_bytes(kinds[k], coalesce((run.budget_counted)[1], 0),
                coalesce((run.budget_counted)[2], 0)));
            whole := lull_budget_bytes(kinds[k], run.whole, run.to_send);
            chunk := greatest(least_chunk, whole / 10);
            -- Received bytes are spent, and not reserved any more.
            spends[k] := spends[k] + came;
            holds[k] := holds[k] - least(part, came);
            used[k] := used[k] + came - least(part, came);
            part := part - least(part, came);
            is_open := run.whole = 0 AND kinds[k] <> lull_budget_counts('sent');
            grant_ := CASE WHEN NOT is_there THEN CASE WHEN is_open THEN chunk ELSE greatest(0, whole - total) END
                WHEN is_open OR total > whole THEN CASE WHEN part < chunk / 2 THEN chunk ELSE 0 END
                WHEN part < least(whole - total, chunk / 2) THEN chunk
                ELSE 0 END;
            IF grant_ > 0 THEN
                IF hard[k] AND used[k] + grant_ > sizes[k] THEN
                    grant_ := greatest(0, sizes[k] - used[k]);
                    -- The reservation would not last until the next report.
                    is_refused := is_refused OR grant_ + part <= came OR grant_ + part = 0;
                END IF;
                holds[k] := holds[k] + grant_;
                used[k] := used[k] + grant_;
                part := part + grant_;
            END IF;
            kept := kept || ROW(numbers[k], part, kinds[k])::budget_hold;
        END LOOP;
        IF run.budget_holds IS NOT NULL THEN
            FOREACH hold IN ARRAY run.budget_holds LOOP
                IF hold.counter_no <> ALL (coalesce(numbers, '{}')) OR kept IS NULL OR NOT EXISTS (
                    SELECT 1 FROM unnest(kept) h WHERE h.counter_no = hold.counter_no)
                THEN
                    old := old || hold.counter_no;
                    oldheld := oldheld || hold.held;
                END IF;
            END LOOP;
        END IF;
        UPDATE queue q SET budget_holds = kept,
            budget_counted = ARRAY[greatest(run.received, coalesce((run.budget_counted)[1], 0)),
                greatest(run.sent, coalesce((run.budget_counted)[2], 0))]
            WHERE q.id = run.id;
        id := run.id;
        RETURN NEXT;
    END LOOP;
    UPDATE budget_counters c SET spent = c.spent + t.spent, reserved = greatest(0, c.reserved + t.held)
        FROM unnest(numbers, spends, holds) t(counter_no, spent, held)
        WHERE c.counter_no = t.counter_no AND (t.spent <> 0 OR t.held <> 0);
    UPDATE budget_counters c SET reserved = greatest(0, c.reserved - t.held)
        FROM (SELECT u.counter_no, sum(u.held) AS held FROM unnest(old, oldheld) u(counter_no, held) GROUP BY 1) t
        WHERE c.counter_no = t.counter_no;
END $$;

-- Counts the last bytes of downloads that no longer run, and gives the rest of their reservations back.
CREATE FUNCTION lull_close_budgets(p_ends budget_end[]) RETURNS int LANGUAGE plpgsql STRICT AS $$
BEGIN
    PERFORM 1 FROM budget_counters c WHERE c.counter_no IN (
            SELECT h.counter_no FROM unnest(p_ends) e CROSS JOIN LATERAL unnest(e.holds) h)
        ORDER BY c.counter_no FOR NO KEY UPDATE;
    UPDATE budget_counters c SET spent = c.spent + z.spent, reserved = greatest(0, c.reserved - z.held) FROM (
        SELECT h.counter_no, sum(h.held) AS held, sum(greatest(0, coalesce(
                lull_budget_bytes(h.counts, e.received, e.sent) - lull_budget_bytes(h.counts,
                    coalesce(e.counted[1], 0), coalesce(e.counted[2], 0)), 0))) AS spent
        FROM unnest(p_ends) e CROSS JOIN LATERAL unnest(e.holds) h GROUP BY 1) z
        WHERE c.counter_no = z.counter_no;
    RETURN cardinality(p_ends);
END $$;

-- Removes counters of periods that ended more than a day ago; returns how many.
CREATE FUNCTION lull_forget_counters(p_batch int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    n int;
BEGIN
    DELETE FROM budget_counters c WHERE c.counter_no IN (
        SELECT z.counter_no FROM budget_counters z WHERE z.ends_at < statement_timestamp() - interval '1 day'
        ORDER BY z.ends_at LIMIT p_batch FOR UPDATE SKIP LOCKED);
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;
