-- The gate of an origin is made with the origin, whose row tells it apart: lull_make_origins.
DELETE FROM gate_keys WHERE kind = 1;
ALTER TABLE gate_keys ADD CONSTRAINT gate_keys_kind CHECK (kind <> 1);
