-- Webhook secrets that were replaced: each goes on signing until its own time.

-- replaced_secrets: sealed, the one that was replaced last first; replaced_until: when each stops signing.
ALTER TABLE webhook_endpoints
    ADD COLUMN replaced_secrets bytea[] NOT NULL DEFAULT '{}',
    ADD COLUMN replaced_until timestamptz[] NOT NULL DEFAULT '{}',
    ADD CHECK (cardinality(replaced_secrets) = cardinality(replaced_until));
UPDATE webhook_endpoints SET replaced_secrets = ARRAY[previous_secret], replaced_until = ARRAY[previous_until]
    WHERE previous_secret IS NOT NULL AND previous_until IS NOT NULL;
ALTER TABLE webhook_endpoints DROP COLUMN previous_secret, DROP COLUMN previous_until;
