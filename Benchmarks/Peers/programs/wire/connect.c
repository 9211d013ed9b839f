// Belfry over HTTP: the Connect protocol's unary call, a POST of JSON on a connection that is kept.

#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char path[] = "/belfry.v1.NotificationCenterService/Add";

// What Benchmarks/Load sends to the same center, in JSON.
static const char body_format[] =
    "{\"center\":{\"appId\":\"org.example.load-1\"},\"idempotencyKey\":\"%s\","
    "\"request\":{\"identifier\":\"%s\",\"content\":{\"title\":\"Stand-up in ten minutes\","
    "\"subtitle\":\"Room 14.12, or the usual call\","
    "\"body\":\"Ana presents the figures of last week; bring along the open questions.\","
    "\"categoryIdentifier\":\"MEETING\",\"threadIdentifier\":\"calendar.work\","
    "\"userInfoJson\":\"{\\\"event\\\":\\\"7d9f0c52-1f6e-4f0b-9a55-3c1b7a0e9d21\\\","
    "\\\"calendar\\\":\\\"work\\\",\\\"url\\\":\\\"https://example.org/m/7d9f0c52\\\","
    "\\\"attendees\\\":15,\\\"reminder\\\":\\\"first\\\"}\"},"
    "\"trigger\":{\"timeInterval\":{\"interval\":\"%llds\"}}}}";

static void add(const struct options *options, struct connection *connection, bool first) {
    // Each call is a transaction of its own, and has its own key.
    (void)first;
    struct record record;
    make_record(options, &record);
    char body[1024];
    const int size = snprintf(body, sizeof body, body_format, record.key, record.identifier,
                              (long long)(record.wait / 1000));
    send_text(connection,
              "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
              "Connect-Protocol-Version: 1\r\nContent-Length: %d\r\n\r\n%s",
              path, size, body);
}

static size_t reply(struct connection *connection, const char *bytes, size_t size, long *value) {
    (void)connection;
    (void)value;
    static const char length_name[] = "content-length:";
    const size_t status = line_size(bytes, size);
    size_t place = status, length = 0;
    for (size_t line; (line = line_size(bytes + place, size - place)) > 0; place += line) {
        if (line == 2) {
            place += line;
            if (size - place < length) return 0;
            if (strncmp(bytes, "HTTP/1.1 200 ", 13) != 0) {
                fail("connect: %.*s%.*s", (int)status, bytes, (int)length, bytes + place);
            }
            return place + length;
        }
        if (strncasecmp(bytes + place, length_name, sizeof length_name - 1) == 0) {
            length = strtoul(bytes + place + sizeof length_name - 1, NULL, 10);
        }
    }
    return 0;
}

const struct protocol connect_protocol = {"connect", NULL, add, NULL, reply};
