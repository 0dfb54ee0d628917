-- Origins that are not reached: their downloads wait, and one of them at a time tries.

-- unreachable_since: of an origin since when it is not reached, null while it is. probe_at: when one of its downloads is
-- let through to try. probes: how many were since.
ALTER TABLE gates
    ADD COLUMN unreachable_since timestamptz,
    ADD COLUMN probe_at timestamptz,
    ADD COLUMN probes int NOT NULL DEFAULT 0;
