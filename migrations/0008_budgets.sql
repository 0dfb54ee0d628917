-- Counters of budgets, and what running downloads have reserved of them.

-- One row for each budget, value of its scope and period. owner: the app whose policy has the budget, empty for the
-- deployment's. value: what the scope names. spent: bytes that came or were sent in the period; reserved: what running
-- downloads may still bring, the sum of their holds.
CREATE TABLE budget_counters (
    counter_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner text NOT NULL,
    budget text NOT NULL,
    value text NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    spent bigint NOT NULL DEFAULT 0 CHECK (spent >= 0),
    reserved bigint NOT NULL DEFAULT 0 CHECK (reserved >= 0),
    UNIQUE (budget, owner, value, starts_at, ends_at)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500,
        autovacuum_vacuum_cost_delay = 0);
CREATE INDEX budget_counters_by_age ON budget_counters (ends_at);

-- What a running download has reserved of a counter. counts: lull_budget_counts.
CREATE TYPE budget_hold AS (
    counter_no bigint,
    held bigint,
    counts smallint
);

-- Both are null for a row that no budget counts. budget_counted: how many bytes of the attempt are counted already,
-- received and sent.
ALTER TABLE queue
    ADD COLUMN budget_holds budget_hold[],
    ADD COLUMN budget_counted bigint[];

-- What lull_reserve_budgets takes: a waiting row, the place of its lane in the claim, what it expects to receive.
CREATE TYPE budget_claim AS (
    id uuid,
    place int,
    need bigint
);

-- What lull_close_budgets takes: a row that runs no more, with what came in its attempt; null where that is not known.
CREATE TYPE budget_end AS (
    holds budget_hold[],
    counted bigint[],
    received bigint,
    sent bigint
);
