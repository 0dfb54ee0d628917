-- Wakes and their ends go only to receivers that name them: who named no events hears of neither.
UPDATE webhook_endpoints SET event_mask = event_mask & ~(3 << 20) WHERE events IS NULL;
UPDATE sessions SET event_mask = event_mask & ~(3 << 20) WHERE configuration->>'webhook_events' IS NULL;
