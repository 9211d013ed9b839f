-- What PostgreSQL keeps: pending requests with two indexes, idempotency keys, delivered, events.
CREATE TABLE pending (id text PRIMARY KEY, due bigint NOT NULL, body text NOT NULL);
CREATE INDEX pending_by_due ON pending (due);
CREATE TABLE keys (key uuid PRIMARY KEY, id text NOT NULL);
CREATE TABLE delivered (number bigserial PRIMARY KEY, id text NOT NULL, body text NOT NULL);
CREATE TABLE events (number bigserial PRIMARY KEY, id text NOT NULL, due bigint NOT NULL);
