-- The numbers that the tables store, by name. `lull man codes` writes this file from the
-- Swift types that are named here; a test compares it. With a constant argument the
-- planner puts the number in place of the call, so that indexes are used as with the
-- number itself. The functions are written in plpgsql, because the planner executes such a
-- call once: a call in SQL would be parsed and planned again at each place in each
-- statement. An unknown name gives NULL; a test looks for unknown names in the text of all
-- functions.

-- events.type, deliveries.type and the bits of webhook_events: EventType.
CREATE FUNCTION lull_event_type(p_name text) RETURNS smallint
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (CASE p_name
        WHEN 'created' THEN 1
        WHEN 'waiting' THEN 2
        WHEN 'started' THEN 3
        WHEN 'progress' THEN 4
        WHEN 'retry_scheduled' THEN 5
        WHEN 'attention_required' THEN 6
        WHEN 'suspended' THEN 7
        WHEN 'resumed' THEN 8
        WHEN 'succeeded' THEN 9
        WHEN 'failed' THEN 10
        WHEN 'canceled' THEN 11
        WHEN 'content_expiring' THEN 12
        WHEN 'content_expired' THEN 13
        WHEN 'content_lost' THEN 14
        WHEN 'deadline_at_risk' THEN 15
        WHEN 'content_released' THEN 16
        WHEN 'endpoint_ping' THEN 17
        WHEN 'endpoint_disabled' THEN 18
        WHEN 'delivery_exhausted' THEN 19
        WHEN 'session_wake' THEN 20
        WHEN 'session_events_finished' THEN 21
        WHEN 'session_drained' THEN 22
        WHEN 'will_begin' THEN 23
        WHEN 'received' THEN 24
        WHEN 'will_send' THEN 25
        WHEN 'source_changed' THEN 26
        WHEN 'source_failing' THEN 27
        WHEN 'source_unchanged' THEN 28
        WHEN 'source_skipped' THEN 29
        END)::smallint;
END $$;

-- attempts.outcome: RunOutcome.
CREATE FUNCTION lull_outcome(p_name text) RETURNS smallint
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (CASE p_name
        WHEN 'succeeded' THEN 1
        WHEN 'failed' THEN 2
        WHEN 'retry_scheduled' THEN 3
        WHEN 'canceled' THEN 4
        WHEN 'suspended' THEN 5
        WHEN 'attention_required' THEN 6
        WHEN 'yielded' THEN 7
        WHEN 'unreachable' THEN 8
        WHEN 'given_back' THEN 9
        WHEN 'received' THEN 10
        WHEN 'unchanged' THEN 11
        END)::smallint;
END $$;

-- The finding of an attempt about its origin: OriginReach.
CREATE FUNCTION lull_reach(p_name text) RETURNS smallint
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (CASE p_name
        WHEN 'reached' THEN 1
        WHEN 'missed' THEN 2
        WHEN 'probe_missed' THEN 3
        WHEN 'probe_stopped' THEN 4
        END)::smallint;
END $$;

-- queue.state and download_results.state: DownloadState.
CREATE FUNCTION lull_state(p_name text) RETURNS smallint
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (CASE p_name
        WHEN 'suspended' THEN 2
        WHEN 'waiting' THEN 0
        WHEN 'receiving' THEN 9
        WHEN 'running' THEN 1
        WHEN 'canceling' THEN 8
        WHEN 'attention_required' THEN 3
        WHEN 'succeeded' THEN 5
        WHEN 'failed' THEN 6
        WHEN 'canceled' THEN 7
        WHEN 'joined' THEN 4
        END)::smallint;
END $$;

-- Bits of lane_flags, and their unions: LaneFlags.
CREATE FUNCTION lull_lane_flag(p_name text) RETURNS smallint
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (CASE p_name
        WHEN 'expensive' THEN 1
        WHEN 'constrained' THEN 2
        WHEN 'impatient' THEN 4
        WHEN 'alone' THEN 8
        WHEN 'unasked' THEN 16
        WHEN 'asked' THEN 32
        WHEN 'sends' THEN 64
        WHEN 'relays' THEN 128
        WHEN 'stages' THEN 256
        WHEN 'any_network' THEN 3
        WHEN 'apart' THEN 12
        WHEN 'hooked' THEN 48
        END)::smallint;
END $$;

-- queue.control: RunOrder, and none.
CREATE FUNCTION lull_order(p_name text) RETURNS smallint
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (CASE p_name
        WHEN 'none' THEN 0
        WHEN 'cancel' THEN 1
        WHEN 'suspend' THEN 2
        WHEN 'yield' THEN 5
        END)::smallint;
END $$;

-- sessions.state: SessionState.
CREATE FUNCTION lull_session_state(p_name text) RETURNS smallint
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (CASE p_name
        WHEN 'active' THEN 0
        WHEN 'suspended' THEN 1
        WHEN 'invalidating' THEN 2
        WHEN 'invalidated' THEN 3
        END)::smallint;
END $$;

-- wakes.state: Wake.State.
CREATE FUNCTION lull_wake_state(p_name text) RETURNS smallint
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (CASE p_name
        WHEN 'sending' THEN 0
        WHEN 'open' THEN 1
        WHEN 'completed' THEN 2
        WHEN 'abandoned' THEN 3
        END)::smallint;
END $$;

-- session_news.kind: SessionNews; the first three are WakeReasons.
CREATE FUNCTION lull_session_news(p_name text) RETURNS smallint
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (CASE p_name
        WHEN 'completed' THEN 1
        WHEN 'failed' THEN 2
        WHEN 'attention_required' THEN 4
        WHEN 'ended' THEN 8
        WHEN 'answered' THEN 16
        END)::smallint;
END $$;

-- gates.kind: GateKind.
CREATE FUNCTION lull_gate(p_name text) RETURNS smallint
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (CASE p_name
        WHEN 'origin' THEN 1
        WHEN 'session' THEN 2
        WHEN 'app' THEN 3
        WHEN 'deployment' THEN 4
        END)::smallint;
END $$;

-- flight_ends.kind: FlightEndKind.
CREATE FUNCTION lull_flight_end(p_name text) RETURNS smallint
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (CASE p_name
        WHEN 'succeeded' THEN 0
        WHEN 'passed' THEN 1
        WHEN 'failed' THEN 2
        END)::smallint;
END $$;

-- deliveries.state: DeliveryState.
CREATE FUNCTION lull_delivery_state(p_name text) RETURNS smallint
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (CASE p_name
        WHEN 'pending' THEN 0
        WHEN 'sending' THEN 1
        WHEN 'succeeded' THEN 2
        WHEN 'exhausted' THEN 3
        WHEN 'abandoned' THEN 4
        END)::smallint;
END $$;

-- contents.phase: ContentPhase.
CREATE FUNCTION lull_content_phase(p_name text) RETURNS smallint
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (CASE p_name
        WHEN 'held' THEN 0
        WHEN 'warned' THEN 1
        WHEN 'released' THEN 2
        WHEN 'lost' THEN 3
        END)::smallint;
END $$;

-- receivers.standing: ReceiverStanding.
CREATE FUNCTION lull_standing(p_name text) RETURNS smallint
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (CASE p_name
        WHEN 'answering' THEN 0
        WHEN 'untried' THEN 1
        WHEN 'silent' THEN 2
        END)::smallint;
END $$;

-- Bytes that a budget counts: Budget.Direction.
CREATE FUNCTION lull_budget_counts(p_name text) RETURNS smallint
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (CASE p_name
        WHEN 'received' THEN 1
        WHEN 'sent' THEN 2
        WHEN 'both' THEN 3
        END)::smallint;
END $$;

-- source_looks.outcome: LookOutcome.
CREATE FUNCTION lull_look_outcome(p_name text) RETURNS smallint
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (CASE p_name
        WHEN 'changed' THEN 1
        WHEN 'unchanged_304' THEN 2
        WHEN 'unchanged_digest' THEN 3
        WHEN 'failed' THEN 4
        WHEN 'skipped' THEN 5
        WHEN 'canceled' THEN 6
        END)::smallint;
END $$;
