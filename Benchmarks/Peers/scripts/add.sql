-- Adds a request of 330 bytes under a random identifier, once for each idempotency key, which
-- begins with the time as a version 7 UUID does.
\set high random(0, 281474976710655)
\set low random(0, 281474976710655)
\set wait random(:after, :after + :spread)
WITH key AS (
    INSERT INTO keys
    SELECT (lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
            || '7000' || '8000' || lpad(to_hex(:low::bigint), 12, '0'))::uuid,
           lpad(to_hex(:high::bigint), 12, '0') || lpad(to_hex(:low::bigint % 4294967296), 8, '0')
    ON CONFLICT DO NOTHING RETURNING id
)
INSERT INTO pending
SELECT id, (extract(epoch FROM now()) * 1000)::bigint + :wait::bigint, repeat('b', 330) FROM key
ON CONFLICT (id) DO UPDATE SET due = excluded.due, body = excluded.body;
