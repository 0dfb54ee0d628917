-- Conditions that are pushed, what the policies were before, and one number for changes of both.

-- A row for each condition that has a pushed value; the last writer wins.
CREATE TABLE conditions (
    name text PRIMARY KEY,
    value jsonb NOT NULL,
    -- NULL counts for ever, or as long as the policy says.
    ttl interval,
    source text,
    -- A list of {"from": instant, "value": value}.
    schedule jsonb NOT NULL DEFAULT '[]',
    pushed_at timestamptz NOT NULL
);

-- Each change of a value, kept for eight days; NULL is a removal.
CREATE TABLE condition_changes (
    change_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    value jsonb,
    source text,
    changed_at timestamptz NOT NULL
);
CREATE INDEX condition_changes_by_name ON condition_changes (name, change_no);
CREATE INDEX condition_changes_by_age ON condition_changes (changed_at);

-- A deleted policy keeps its row without a document, so that versions never repeat.
ALTER TABLE policies ALTER COLUMN document DROP NOT NULL;

-- Every version of a policy; a deletion has no document.
CREATE TABLE policy_versions (
    app_no bigint NOT NULL,
    version int NOT NULL,
    document jsonb,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (app_no, version)
);
INSERT INTO policy_versions (app_no, version, document, created_at)
    SELECT app_no, version, document, updated_at FROM policies;

-- Rises with every change of a policy or a condition, in the same transaction: what other replicas
-- look at to learn that there is something new.
CREATE TABLE facts_version (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    version bigint NOT NULL
);
INSERT INTO facts_version (version) VALUES (1);
