// Redis: one script adds, another fires. Both are loaded first and then called by their hash.

#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HASH_SIZE = 40 };
static char add_hash[HASH_SIZE + 1], fire_hash[HASH_SIZE + 1];

static void load_script(struct connection *connection, const char *path, char *hash) {
    static char script[65536];
    FILE *file = path == NULL ? NULL : fopen(path, "r");
    if (file == NULL) fail("no script %s", path == NULL ? "is named" : path);
    const size_t size = fread(script, 1, sizeof script, file);
    fclose(file);
    send_text(connection, "*3\r\n$6\r\nSCRIPT\r\n$4\r\nLOAD\r\n$%zu\r\n", size);
    send_bytes(connection, script, size);
    send_text(connection, "\r\n");
    expect_line(connection, "$40");
    memcpy(hash, expect_line(connection, ""), HASH_SIZE);
}

static void greet(const struct options *options, struct connection *connection) {
    if (connection->number > 0) return;
    load_script(connection, options->add_script, add_hash);
    load_script(connection, options->fire_script, fire_hash);
}

static void add(const struct options *options, struct connection *connection, bool first) {
    struct record record;
    make_record(options, &record);
    char due[24];
    const int due_size = snprintf(due, sizeof due, "%lld", (long long)record.due);
    send_text(connection,
              "*7\r\n$7\r\nEVALSHA\r\n$40\r\n%s\r\n$1\r\n0\r\n"
              "$%d\r\n%s\r\n$%d\r\n%s\r\n$%d\r\n%s\r\n",
              add_hash, IDENTIFIER_SIZE, record.identifier, due_size, due, BODY_SIZE, record.body);
    const char *key = first ? record.key : "";
    send_text(connection, "$%zu\r\n%s\r\n", strlen(key), key);
}

static void fire(struct connection *connection) {
    char now[24];
    const int size = snprintf(now, sizeof now, "%lld", (long long)now_milliseconds());
    send_text(connection,
              "*6\r\n$7\r\nEVALSHA\r\n$40\r\n%s\r\n$1\r\n0\r\n"
              "$%d\r\n%s\r\n$3\r\n%d\r\n$4\r\n%d\r\n",
              fire_hash, size, now, FIRING_BATCH, DELIVERED_KEPT);
}

static size_t reply(struct connection *connection, const char *bytes, size_t size, long *value) {
    (void)connection;
    const size_t line = line_size(bytes, size);
    if (line > 0 && bytes[0] != ':') fail("redis: %.*s", (int)line, bytes);
    if (line > 0) *value = strtol(bytes + 1, NULL, 10);
    return line;
}

const struct protocol redis_protocol = {"redis", greet, add, fire, reply};
