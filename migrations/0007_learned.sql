-- What the world did: how fast origins were, how large files were, and how far attempts got.

-- One row for each measure and key (Core/Learning: LearnedMeasure, LearnedKey). counts: the weights of logarithmic
-- buckets from first_bucket on. Replicas add what they measured; a weight counts half after each week since faded_at.
CREATE TABLE learned (
    measure smallint NOT NULL,
    level smallint NOT NULL,
    first_key bigint NOT NULL,
    second_key bigint NOT NULL,
    first_bucket smallint NOT NULL CHECK (first_bucket >= 0),
    counts real[] NOT NULL,
    faded_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (measure, level, first_key, second_key)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE INDEX learned_by_change ON learned (changed_at, measure, level, first_key, second_key);

-- Forecasts of a sample of the downloads that wait, and what came of them: seconds from made_at to the first begin.
-- naive: the next opening that was known then. came is null until the begin; scores are kept for a week.
CREATE TABLE forecast_samples (
    download_id uuid NOT NULL,
    made_at timestamptz NOT NULL,
    p10 double precision NOT NULL,
    p50 double precision NOT NULL,
    p90 double precision NOT NULL,
    naive double precision,
    came double precision,
    scored_at timestamptz,
    PRIMARY KEY (download_id, made_at)
);
CREATE INDEX forecast_samples_by_age ON forecast_samples (made_at);
CREATE INDEX forecast_samples_scored ON forecast_samples (scored_at) WHERE came IS NOT NULL;
