-- What each replica measures, and how often a lane got an entry that was due long before.

-- Rises with every entry into a lane that had been due for half a minute: replicas that keep lanes in mind read all of
-- them again. A sequence, so that no two commits wait for each other.
CREATE SEQUENCE late_lane_entries;

-- A list of {"name", "value", "since"}, and of {"requirement", "is_met", "since"}, as of measured_at.
ALTER TABLE replicas
    ADD COLUMN readings jsonb,
    ADD COLUMN measured_at timestamptz;
