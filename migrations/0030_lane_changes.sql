-- A snapshot finds the lanes that have changed since a replica looked last, whenever a transaction began.

-- The transaction that made the lane, or made its downloads begin earlier: lull_enter_lanes. Existing lanes are read by
-- the first look of each replica.
ALTER TABLE lanes ADD COLUMN changed xid8 NOT NULL DEFAULT '0';
ALTER TABLE lanes ALTER COLUMN changed SET DEFAULT pg_current_xact_id();
CREATE INDEX lanes_changed ON lanes (changed, lane_no) WHERE next_at < 'infinity';
DROP SEQUENCE late_lane_entries;
