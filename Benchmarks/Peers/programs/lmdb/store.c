#include "store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void check(int code, const char *what) {
    if (code == MDB_SUCCESS) return;
    fprintf(stderr, "lmdb-loops: %s: %s\n", what, mdb_strerror(code));
    exit(1);
}

double now_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

uint64_t next_random(void) {
    // SplitMix64, always from the same seed.
    static uint64_t state = 1;
    uint64_t bits = state += 0x9E3779B97F4A7C15;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
    return bits ^ bits >> 31;
}

void write_number(uint8_t *bytes, uint64_t number) {
    for (int i = 7; i >= 0; --i, number >>= 8) bytes[i] = (uint8_t)number;
}

uint64_t read_number(const uint8_t *bytes) {
    uint64_t number = 0;
    for (int i = 0; i < 8; ++i) number = number << 8 | bytes[i];
    return number;
}

struct store open_store(const char *directory) {
    struct store store = {.next_number = 1, .next_delivery = 1};
    check(mdb_env_create(&store.environment), "create");
    check(mdb_env_set_maxdbs(store.environment, 8), "tables");
    check(mdb_env_set_mapsize(store.environment, (size_t)64 << 30), "size");
    check(mdb_env_open(store.environment, directory, 0, 0600), directory);
    MDB_txn *transaction = begin(&store);
    const struct {
        const char *name;
        MDB_dbi *table;
    } tables[] = {{"records", &store.records}, {"identifiers", &store.identifiers},
                  {"due", &store.due},         {"delivered", &store.delivered},
                  {"events", &store.events},   {"keys", &store.keys}};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; ++i) {
        check(mdb_dbi_open(transaction, tables[i].name, MDB_CREATE, tables[i].table), "table");
    }
    check(mdb_txn_commit(transaction), "commit");
    return store;
}

void close_store(struct store *store) { mdb_env_close(store->environment); }

MDB_txn *begin(struct store *store) {
    MDB_txn *transaction;
    check(mdb_txn_begin(store->environment, NULL, 0, &transaction), "begin");
    return transaction;
}

void put(MDB_txn *transaction, MDB_dbi table, MDB_val key, MDB_val value, unsigned flags) {
    check(mdb_put(transaction, table, &key, &value, flags), "put");
}

struct entry make_entry(struct store *store) {
    struct entry entry = {.number = store->next_number++, .due = next_random() >> 24};
    write_number(entry.identifier, next_random());
    write_number(entry.identifier + 8, next_random());
    return entry;
}

void append_record(MDB_txn *transaction, struct store *store, const struct entry *entry) {
    uint8_t key[8], record[RECORD_SIZE] = {0};
    write_number(key, entry->number);
    memcpy(record, entry->identifier, IDENTIFIER_SIZE);
    write_number(record + IDENTIFIER_SIZE, entry->due);
    put(transaction, store->records, (MDB_val){8, key}, (MDB_val){RECORD_SIZE, record},
        MDB_APPEND);
}

void append_key(MDB_txn *transaction, struct store *store, const struct entry *entry) {
    // As a version 7 UUID sorts: by time first.
    uint8_t key[KEY_SIZE] = {0}, value[8];
    write_number(key, entry->number);
    write_number(key + 8, next_random());
    write_number(value, entry->number);
    put(transaction, store->keys, (MDB_val){KEY_SIZE, key}, (MDB_val){8, value}, 0);
}

void index_identifier(MDB_txn *transaction, struct store *store, const struct entry *entry) {
    uint8_t value[8];
    write_number(value, entry->number);
    put(transaction, store->identifiers, (MDB_val){IDENTIFIER_SIZE, (void *)entry->identifier},
        (MDB_val){8, value}, 0);
}

void index_due(MDB_txn *transaction, struct store *store, const struct entry *entry) {
    uint8_t key[16];
    write_number(key, entry->due);
    write_number(key + 8, entry->number);
    put(transaction, store->due, (MDB_val){16, key},
        (MDB_val){IDENTIFIER_SIZE, (void *)entry->identifier}, 0);
}

// Takes the oldest delivered request away, with its record.
static void drop_oldest(MDB_txn *transaction, struct store *store) {
    uint8_t place[8];
    write_number(place, store->next_delivery - DELIVERED_KEPT - 1);
    MDB_val key = {8, place}, value;
    check(mdb_get(transaction, store->delivered, &key, &value), "delivered");
    uint8_t number[8];
    memcpy(number, value.mv_data, 8);
    check(mdb_del(transaction, store->delivered, &key, NULL), "delivered");
    MDB_val record = {8, number};
    check(mdb_del(transaction, store->records, &record, NULL), "record");
}

bool fire_next(MDB_txn *transaction, struct store *store, struct entry *fired) {
    MDB_cursor *cursor;
    MDB_val key, value;
    check(mdb_cursor_open(transaction, store->due, &cursor), "cursor");
    const int found = mdb_cursor_get(cursor, &key, &value, MDB_FIRST);
    if (found == MDB_SUCCESS) {
        fired->due = read_number(key.mv_data);
        fired->number = read_number((uint8_t *)key.mv_data + 8);
        memcpy(fired->identifier, value.mv_data, IDENTIFIER_SIZE);
        check(mdb_cursor_del(cursor, 0), "due");
    } else if (found != MDB_NOTFOUND) {
        check(found, "due");
    }
    mdb_cursor_close(cursor);
    if (found == MDB_NOTFOUND) return false;
    uint8_t delivery[8], event[24];
    write_number(delivery, store->next_delivery++);
    write_number(event, fired->number);
    write_number(event + 8, fired->due);
    write_number(event + 16, store->next_delivery);
    put(transaction, store->delivered, (MDB_val){8, delivery}, (MDB_val){8, event}, MDB_APPEND);
    put(transaction, store->events, (MDB_val){8, delivery}, (MDB_val){24, event}, MDB_APPEND);
    if (store->next_delivery > DELIVERED_KEPT + 1) drop_oldest(transaction, store);
    return true;
}
