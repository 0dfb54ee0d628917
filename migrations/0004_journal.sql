-- The journal as clients read it: one download's events in their order, and what is too old to keep.
-- One download's changes follow each other under its row's lock, so `sequence` is their commit order.
CREATE INDEX events_of_download ON events (download_id, sequence, seq);
CREATE INDEX events_by_age ON events USING brin (at);
