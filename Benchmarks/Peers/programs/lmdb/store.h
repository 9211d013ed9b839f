// The tables that the loops write: no server, no domain, only the pages that the work needs.

#ifndef STORE_H
#define STORE_H

#include <lmdb.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RECORD_SIZE = 330, IDENTIFIER_SIZE = 20, KEY_SIZE = 36, DELIVERED_KEPT = 1000 };

// Ends the program where LMDB refuses.
void check(int code, const char *what);
double now_seconds(void);
uint64_t next_random(void);

// Big-endian, so that the bytes sort as the numbers do.
void write_number(uint8_t *bytes, uint64_t number);
uint64_t read_number(const uint8_t *bytes);

// One request: its place in the order of adding, and what is looked up by.
struct entry {
    uint8_t identifier[IDENTIFIER_SIZE];
    uint64_t number, due;
};

struct store {
    MDB_env *environment;
    // Records by number, appended; numbers by identifier; numbers by due instant; what was
    // delivered, appended; events, appended; idempotency keys.
    MDB_dbi records, identifiers, due, delivered, events, keys;
    uint64_t next_number, next_delivery;
};

struct store open_store(const char *directory);
void close_store(struct store *store);
MDB_txn *begin(struct store *store);
void put(MDB_txn *transaction, MDB_dbi table, MDB_val key, MDB_val value, unsigned flags);

// A new request, due at random in the next 2^40 units of time.
struct entry make_entry(struct store *store);
void append_record(MDB_txn *transaction, struct store *store, const struct entry *entry);
void append_key(MDB_txn *transaction, struct store *store, const struct entry *entry);
void index_identifier(MDB_txn *transaction, struct store *store, const struct entry *entry);
void index_due(MDB_txn *transaction, struct store *store, const struct entry *entry);

// Fills the tables with so many pending requests, sorted first so that it is soon done.
void fill(struct store *store, long count);

// Takes the request that is due soonest out of the due index and appends it to the delivered list
// and to the events; lets the oldest delivered go where there are more than are kept. False where
// none is pending.
bool fire_next(MDB_txn *transaction, struct store *store, struct entry *fired);

// Changes that wait in memory until they are merged into their tables in the order of the keys.
enum { MERGE_AT = 50000, SLICE = 256 };
struct intake {
    struct entry *entries, *frozen_by_identifier, *frozen_by_due;
    size_t count, frozen, merged_identifiers, merged_due;
};
struct intake make_intake(void);
void take(struct intake *intake, const struct entry *entry);
// Merges the next rows of each index, `SLICE` of them at most.
void merge_slice(MDB_txn *transaction, struct store *store, struct intake *intake, bool with_due);

#endif
