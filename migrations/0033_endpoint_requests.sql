-- Headers and credentials for the receiver of an endpoint: what is shown of them, and the values sealed.
ALTER TABLE webhook_endpoints ADD COLUMN request jsonb, ADD COLUMN sealed bytea;
