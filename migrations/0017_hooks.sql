-- Begin hooks: who is asked before a download with a date begins.

-- hook_asked_at: when the hook of a download was asked that has not answered, null for no question. hook_sequence: the
-- sequence of the event with which it was asked. Bits of network (Core's LaneKey): 16, its hook is to be asked; 32, it was
-- asked, and run_at is when that counts as no answer.
ALTER TABLE queue ADD COLUMN hook_asked_at timestamptz, ADD COLUMN hook_sequence int;

-- Endpoints that hear all of downloads hear the questions, too.
UPDATE webhook_endpoints SET event_mask = event_mask | (1 << 23) WHERE 'download.*' = ANY (events);
