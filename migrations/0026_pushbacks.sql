-- When origins asked apps for no requests: a row for each origin and app that it told a time.
CREATE TABLE pushbacks (
    origin_key bigint NOT NULL REFERENCES origins ON DELETE CASCADE,
    app_no bigint NOT NULL,
    -- Until when, as the latest answer told.
    until timestamptz NOT NULL,
    -- When the latest such answer came.
    pushed_at timestamptz NOT NULL,
    PRIMARY KEY (origin_key, app_no)
);
CREATE INDEX pushbacks_over ON pushbacks (until);
