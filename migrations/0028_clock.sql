-- The last reading of the database's clock, by which a new process knows whether it has jumped: one row.

-- boot, boot_us: the start of the machine that saw it, and that machine's boot clock in microseconds. jumped_at: the
-- clock behind its last jump.
CREATE TABLE clock_seen (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    seen_at timestamptz NOT NULL,
    boot text NOT NULL,
    boot_us bigint NOT NULL,
    jumped_at timestamptz
);
