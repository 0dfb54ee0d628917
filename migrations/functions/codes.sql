-- The numbers that the tables store, by name. Each name is defined here and in one Swift enum; a test compares all of
-- them. With a constant argument the planner puts the number in place of the call, so that indexes are used as with the
-- number itself. They are written in plpgsql, because the planner executes such a call once: a call in SQL would be
-- parsed and planned again at each place in each statement. An unknown name gives NULL; a test looks for unknown names
-- in the text of all functions.

-- events.type, deliveries.type and the bits of webhook_events: EventType.
CREATE FUNCTION lull_event_type(p_name text) RETURNS smallint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN array_position(ARRAY['created', 'waiting', 'started', 'progress', 'retry_scheduled',
        'attention_required', 'suspended', 'resumed', 'succeeded', 'failed', 'canceled', 'content_expiring',
        'content_expired', 'content_lost', 'deadline_at_risk', 'content_released', 'endpoint_ping', 'endpoint_disabled',
        'delivery_exhausted', 'session_wake', 'session_events_finished', 'session_drained', 'will_begin'],
        p_name)::smallint;
END $$;

-- attempts.outcome: AttemptOutcome.
CREATE FUNCTION lull_outcome(p_name text) RETURNS smallint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (CASE p_name WHEN 'lost' THEN 9 ELSE array_position(ARRAY['succeeded', 'failed', 'retry', 'canceled',
        'suspended', 'attention_required', 'yielded', 'unreachable'], p_name) END)::smallint;
END $$;

-- The finding of an attempt about its origin: OriginReach.
CREATE FUNCTION lull_reach(p_name text) RETURNS smallint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN array_position(ARRAY['reached', 'missed', 'probe_missed', 'probe_stopped'], p_name)::smallint;
END $$;

-- queue.state: LiveState.
CREATE FUNCTION lull_live_state(p_name text) RETURNS smallint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (array_position(ARRAY['waiting', 'running', 'suspended', 'attention_required', 'joined'],
        p_name) - 1)::smallint;
END $$;

-- download_results.state: EndState.
CREATE FUNCTION lull_end_state(p_name text) RETURNS smallint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (CASE p_name WHEN 'live' THEN 0 WHEN 'succeeded' THEN 1 WHEN 'failed' THEN 2 WHEN 'canceled' THEN 4
        END)::smallint;
END $$;

-- queue.control: RunOrder, and none.
CREATE FUNCTION lull_order(p_name text) RETURNS smallint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (CASE p_name WHEN 'none' THEN 0 WHEN 'cancel' THEN 1 WHEN 'suspend' THEN 2 WHEN 'yield' THEN 5
        END)::smallint;
END $$;

-- sessions.state: SessionState.
CREATE FUNCTION lull_session_state(p_name text) RETURNS smallint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (array_position(ARRAY['active', 'suspended', 'invalidating', 'invalidated'], p_name) - 1)::smallint;
END $$;

-- wakes.state: Wake.State.
CREATE FUNCTION lull_wake_state(p_name text) RETURNS smallint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (array_position(ARRAY['sending', 'open', 'completed', 'abandoned'], p_name) - 1)::smallint;
END $$;

-- session_news.kind: SessionNews; the first three are WakeReasons.
CREATE FUNCTION lull_session_news(p_name text) RETURNS smallint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (CASE p_name WHEN 'completed' THEN 1 WHEN 'failed' THEN 2 WHEN 'attention_required' THEN 4
        WHEN 'ended' THEN 8 WHEN 'answered' THEN 16 END)::smallint;
END $$;

-- gates.kind: GateKind.
CREATE FUNCTION lull_gate(p_name text) RETURNS smallint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN array_position(ARRAY['origin', 'session', 'app', 'deployment'], p_name)::smallint;
END $$;

-- flight_ends.kind: FlightEndKind.
CREATE FUNCTION lull_flight_end(p_name text) RETURNS smallint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (array_position(ARRAY['succeeded', 'passed', 'failed'], p_name) - 1)::smallint;
END $$;

-- deliveries.state: DeliveryState.
CREATE FUNCTION lull_delivery_state(p_name text) RETURNS smallint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (array_position(ARRAY['pending', 'sending', 'succeeded', 'exhausted', 'abandoned'], p_name) - 1)::smallint;
END $$;

-- contents.phase: ContentPhase.
CREATE FUNCTION lull_content_phase(p_name text) RETURNS smallint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (array_position(ARRAY['held', 'warned', 'released', 'lost'], p_name) - 1)::smallint;
END $$;

-- receivers.standing: ReceiverStanding.
CREATE FUNCTION lull_standing(p_name text) RETURNS smallint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (array_position(ARRAY['answering', 'untried', 'silent'], p_name) - 1)::smallint;
END $$;

-- Bytes that a budget counts: Budget.Direction.
CREATE FUNCTION lull_budget_counts(p_name text) RETURNS smallint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN array_position(ARRAY['received', 'sent', 'both'], p_name)::smallint;
END $$;

-- queue.lane_flags and lanes.lane_flags: LaneFlags.
CREATE FUNCTION lull_lane_flag(p_name text) RETURNS smallint LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN (CASE p_name WHEN 'expensive' THEN 1 WHEN 'constrained' THEN 2 WHEN 'impatient' THEN 4 WHEN 'alone' THEN 8
        WHEN 'unasked' THEN 16 WHEN 'asked' THEN 32 WHEN 'any_network' THEN 3 WHEN 'apart' THEN 12
        WHEN 'hooked' THEN 48 END)::smallint;
END $$;
