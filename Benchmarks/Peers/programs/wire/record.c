#include "wire.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

int64_t now_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * (int64_t)1000 + now.tv_nsec / 1000000;
}

uint64_t next_random(void) {
    // SplitMix64.
    static uint64_t state;
    if (state == 0) state = (uint64_t)now_milliseconds() << 20;
    uint64_t bits = state += 0x9E3779B97F4A7C15;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
    return bits ^ bits >> 31;
}

static const char *body(void) {
    static const char text[] =
        "{\"title\":\"Stand-up in ten minutes\",\"subtitle\":\"Room 4.12, or the usual call\","
        "\"body\":\"Ana presents the figures of last week; bring the open questions.\","
        "\"category\":\"MEETING\",\"thread\":\"calendar.work\",\"info\":{\"event\":"
        "\"7d9f0c52-1f6e-4f0b-9a55-3c1b7a0e9d21\",\"url\":\"https://example.org/m/7d9f0c52\"}} ";
    static char body[BODY_SIZE + 1];
    if (body[0] == '\0') {
        for (size_t i = 0; i < BODY_SIZE; ++i) body[i] = text[i % (sizeof text - 1)];
    }
    return body;
}

void make_record(const struct options *options, struct record *record) {
    for (int i = 0; i < IDENTIFIER_SIZE; i += IDENTIFIER_SIZE / 2) {
        uint64_t bits = next_random();
        for (int j = 0; j < IDENTIFIER_SIZE / 2; ++j, bits >>= 4) {
            record->identifier[i + j] = (char)('A' + (bits & 15));
        }
    }
    record->identifier[IDENTIFIER_SIZE] = '\0';
    const int64_t now = now_milliseconds() + options->clock_ahead;
    const uint64_t high = next_random(), low = next_random();
    snprintf(record->key, sizeof record->key, "%08x-%04x-7%03x-8%03x-%012llx",
             (unsigned)((uint64_t)now >> 16 & 0xFFFFFFFF), (unsigned)(now & 0xFFFF),
             (unsigned)(high & 0xFFF), (unsigned)(high >> 12 & 0xFFF),
             (unsigned long long)(low >> 16));
    record->wait =
        options->due_after + (int64_t)(next_random() % (uint64_t)options->due_spread);
    record->due = now + record->wait;
    record->body = body();
}
