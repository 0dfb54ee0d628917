-- The key of a lane begins with its origin, so that it also finds the lanes of one: an index less for each lane that is
-- made and for each that falls asleep.
CREATE UNIQUE INDEX lanes_by_origin
    ON lanes (origin_key, session_no, class, rank, network, facet, due_bucket, begin_bucket);
DROP INDEX lanes_by_key;
DROP INDEX lanes_of_origin;
