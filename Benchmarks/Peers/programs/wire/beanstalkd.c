// beanstalkd: delayed jobs in the default tube.

#include "wire.h"

#include <string.h>

static void add(const struct options *options, struct connection *connection, bool first) {
    (void)first;
    struct record record;
    make_record(options, &record);
    const long long delay = (record.due - now_milliseconds() + 999) / 1000;
    // A job's identifier is the server's; that of the request can only be a part of the body.
    send_text(connection, "put 1024 %lld 60 %d\r\n%s%s%s\r\n", delay,
              IDENTIFIER_SIZE + KEY_SIZE + BODY_SIZE, record.identifier, record.key, record.body);
}

static size_t reply(struct connection *connection, const char *bytes, size_t size, long *value) {
    (void)connection;
    const size_t line = line_size(bytes, size);
    if (line > 0 && strncmp(bytes, "INSERTED ", 9) != 0) {
        fail("beanstalkd: %.*s", (int)line, bytes);
    }
    *value = 1;
    return line;
}

const struct protocol beanstalkd_protocol = {"beanstalkd", NULL, add, NULL, reply};
