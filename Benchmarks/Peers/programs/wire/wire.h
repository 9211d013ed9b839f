// What the parts of wire-load share: a closed loop of requests to a server whose protocol is text.

#ifndef WIRE_H
#define WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum operation { FILL, ADD, BALANCE, FIRE };

struct options {
    const char *peer;
    // unix:/path or HOST:PORT.
    const char *target;
    enum operation operation;
    int connections;
    // Requests that each connection has in flight, sent together.
    int pipeline;
    double seconds, warm_up;
    // Ends the measurement after so many requests; 0 has no such end.
    long limit;
    // Requests are due after so many milliseconds at least, spread over so many more.
    int64_t due_after, due_spread;
    // Milliseconds by which the server's clock is ahead of this machine's.
    int64_t clock_ahead;
    // The file of the script that adds or fires, where the peer has scripts.
    const char *add_script, *fire_script;
};

// Ends the program: what it would measure would not be the load.
__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *format, ...);

// One request as every peer stores it.
enum { IDENTIFIER_SIZE = 20, KEY_SIZE = 36, BODY_SIZE = 330 };
struct record {
    char identifier[IDENTIFIER_SIZE + 1];
    // A version 7 UUID.
    char key[KEY_SIZE + 1];
    // In milliseconds: since 1970, and from now.
    int64_t due, wait;
    const char *body;
};

int64_t now_milliseconds(void);
uint64_t next_random(void);
void make_record(const struct options *options, struct record *record);

enum { BUFFER_SIZE = 1 << 20 };
struct connection {
    int fd;
    int number;
    char *in, *out;
    size_t in_size, out_size;
    // Requests of this turn that are not answered yet.
    int waiting;
    int64_t began;
    // What the answers of this turn said, summed up: how many were fired.
    long value;
    // Fires, beside those that add; 0 or the instant from which it may go on.
    bool fires;
    int64_t rests_until;
};

// What is known of a peer.
struct protocol {
    const char *name;
    void (*greet)(const struct options *options, struct connection *connection);
    // Appends one request; `first` in its turn has the idempotency key of them all.
    void (*add)(const struct options *options, struct connection *connection, bool first);
    // Appends what fires at most FIRING_BATCH that are due; null where the peer has no such thing.
    void (*fire)(struct connection *connection);
    // Gives the size of the first reply in the bytes, and what it says; 0 while it is not complete.
    size_t (*reply)(struct connection *connection, const char *bytes, size_t size, long *value);
};

enum { FIRING_BATCH = 256, DELIVERED_KEPT = 1000 };
// What a server says beside its replies.
enum { NO_REPLY = -1 };

extern const struct protocol redis_protocol, beanstalkd_protocol, nats_protocol, connect_protocol;

// Appends to what a connection sends next.
__attribute__((format(printf, 2, 3))) void send_text(struct connection *connection,
                                                     const char *format, ...);
void send_bytes(struct connection *connection, const void *bytes, size_t size);

void open_connection(const char *target, struct connection *connection);
// Writes what is appended.
void flush_connection(struct connection *connection);
// Writes it and gives the next line that the server sends, which has to begin with `prefix`; lent
// until the next one.
const char *expect_line(struct connection *connection, const char *prefix);
// The size of the first line with its end; 0 while it is not complete.
size_t line_size(const char *bytes, size_t size);

#endif
