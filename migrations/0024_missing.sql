-- Files that are missing and do not count as lost, lost files that may come back, and data directories given up.

-- missing: how many files its replica does not find and does not call lost. loss_accepted: an operator says that they
-- do not come back; the replica takes them for lost and clears it. gone_at: its content counts as lost since then.
ALTER TABLE instances
    ADD COLUMN missing bigint NOT NULL DEFAULT 0,
    ADD COLUMN loss_accepted boolean NOT NULL DEFAULT false,
    ADD COLUMN gone_at timestamptz;

-- contents.phase 3 is lost: the row stays, so that a file that is found again with its digest is content again.
CREATE INDEX contents_lost ON contents (expires_at) WHERE phase = 3;
