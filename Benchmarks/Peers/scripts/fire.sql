-- Fires up to 256 requests that are due, and lets the oldest delivered go. With a rest it waits so
-- many milliseconds where fewer were due.
BEGIN;
WITH due AS (
    DELETE FROM pending WHERE id IN (
        SELECT id FROM pending WHERE due <= (extract(epoch FROM now()) * 1000)::bigint
        ORDER BY due LIMIT 256 FOR UPDATE SKIP LOCKED
    ) RETURNING id, due, body
), delivery AS (
    INSERT INTO delivered (id, body) SELECT id, body FROM due
), event AS (
    INSERT INTO events (id, due) SELECT id, due FROM due
)
SELECT count(*) AS fired FROM due \gset
DELETE FROM delivered WHERE number <= (SELECT max(number) FROM delivered) - 1000;
END;
\if :rest > 0 and :fired < 256
\sleep :rest ms
\endif
