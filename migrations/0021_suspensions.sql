-- When a session was suspended, resumed, suspended again and so on: lull_suspensions.
ALTER TABLE sessions ADD COLUMN suspensions timestamptz[] NOT NULL DEFAULT '{}';
UPDATE sessions SET suspensions = ARRAY[updated_at] WHERE state = 1;
