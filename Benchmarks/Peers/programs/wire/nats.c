// NATS JetStream: messages with a schedule, which the server publishes when they are due. The
// stream "reminders" with the subjects "schedules.>" and "due.>" was made before.

#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void greet(const struct options *options, struct connection *connection) {
    (void)options;
    expect_line(connection, "INFO ");
    send_text(connection,
              "CONNECT {\"verbose\":false,\"headers\":true,\"no_responders\":true}\r\n"
              "SUB _INBOX.%d 1\r\nPING\r\n",
              connection->number);
    expect_line(connection, "PONG");
}

static void add(const struct options *options, struct connection *connection, bool first) {
    (void)first;
    struct record record;
    make_record(options, &record);
    const time_t due = record.due / 1000;
    struct tm parts;
    char instant[40], headers[512];
    gmtime_r(&due, &parts);
    strftime(instant, sizeof instant, "%Y-%m-%dT%H:%M:%SZ", &parts);
    const int size = snprintf(headers, sizeof headers,
                              "NATS/1.0\r\nNats-Schedule: @at %s\r\n"
                              "Nats-Schedule-Target: due.%s\r\nNats-Msg-Id: %s\r\n\r\n",
                              instant, record.identifier, record.key);
    send_text(connection, "HPUB schedules.%s _INBOX.%d %d %d\r\n%s%s\r\n", record.identifier,
              connection->number, size, size + BODY_SIZE, headers, record.body);
}

// What follows a line "MSG subject 1 size" or "HMSG subject 1 header-size size".
static size_t message(const char *bytes, size_t line, size_t size) {
    size_t last = line;
    while (bytes[last - 1] != ' ') --last;
    const size_t whole = line + strtoul(bytes + last, NULL, 10) + 2;
    if (whole > size) return 0;
    const bool is_stored = bytes[0] == 'M' && memmem(bytes, whole, "\"error\"", 7) == NULL;
    if (!is_stored) fail("nats: %.*s", (int)whole, bytes);
    return whole;
}

static size_t reply(struct connection *connection, const char *bytes, size_t size, long *value) {
    const size_t line = line_size(bytes, size);
    if (line == 0) return 0;
    *value = 1;
    if (bytes[0] == 'M' || bytes[0] == 'H') return message(bytes, line, size);
    if (strncmp(bytes, "-ERR", 4) == 0) fail("nats: %.*s", (int)line, bytes);
    *value = NO_REPLY;
    if (strncmp(bytes, "PING", 4) == 0) {
        send_text(connection, "PONG\r\n");
        flush_connection(connection);
    }
    return line;
}

const struct protocol nats_protocol = {"nats", greet, add, NULL, reply};
