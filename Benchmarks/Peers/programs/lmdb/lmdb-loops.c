// Plain loops over LMDB: what the disk and the pages allow, with no server, calls or domain.
//
// Each batch is one transaction, synced. The loops are upper bounds, not systems: nothing reads,
// and the intake of the merged ones is not read back at a start.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store.h"

enum { COMMIT_ROWS = 8 };

struct options {
    const char *loop, *directory;
    long pending;
    int batch;
    double seconds;
};

static int compare(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void report(long measured, double seconds, double *times, size_t count) {
    qsort(times, count, sizeof *times, compare);
    printf("{\"measured\": %ld, \"seconds\": %.6f, \"p50_us\": %.1f, \"p99_us\": %.1f}\n",
           measured, seconds, count == 0 ? 0 : times[count / 2] * 1e6,
           count == 0 ? 0 : times[(size_t)((double)count * 0.99)] * 1e6);
}

// The least that one durable change takes: a record of a small table, which dirties its leaf, that
// of the table of tables, and that of the free pages. Three pages, and the page of the transaction.
static void commit_once(struct store *store, long number) {
    uint8_t key[8], record[RECORD_SIZE] = {0};
    write_number(key, (uint64_t)(number % COMMIT_ROWS));
    write_number(record, (uint64_t)number);
    MDB_txn *transaction = begin(store);
    put(transaction, store->records, (MDB_val){8, key}, (MDB_val){RECORD_SIZE, record}, 0);
    check(mdb_txn_commit(transaction), "commit");
}

static long add_batch(struct store *store, int batch) {
    MDB_txn *transaction = begin(store);
    for (int i = 0; i < batch; ++i) {
        const struct entry entry = make_entry(store);
        append_record(transaction, store, &entry);
        append_key(transaction, store, &entry);
        index_identifier(transaction, store, &entry);
        index_due(transaction, store, &entry);
    }
    check(mdb_txn_commit(transaction), "commit");
    return batch;
}

static long add_batch_merged(struct store *store, struct intake *intake, int batch) {
    MDB_txn *transaction = begin(store);
    for (int i = 0; i < batch; ++i) {
        const struct entry entry = make_entry(store);
        append_record(transaction, store, &entry);
        append_key(transaction, store, &entry);
        take(intake, &entry);
    }
    merge_slice(transaction, store, intake, true);
    check(mdb_txn_commit(transaction), "commit");
    return batch;
}

// Fires a batch; each identifier's state is written at once, or with an intake in sorted merges.
static long fire_batch(struct store *store, struct intake *intake, int batch) {
    MDB_txn *transaction = begin(store);
    struct entry fired;
    int count = 0;
    while (count < batch && fire_next(transaction, store, &fired)) {
        ++count;
        if (intake == NULL) {
            index_identifier(transaction, store, &fired);
        } else {
            take(intake, &fired);
        }
    }
    if (intake != NULL) merge_slice(transaction, store, intake, false);
    check(mdb_txn_commit(transaction), "commit");
    return count;
}

static bool is(const struct options *options, const char *loop) {
    return strcmp(options->loop, loop) == 0;
}

static void run(const struct options *options) {
    struct store store = open_store(options->directory);
    struct intake intake = make_intake();
    const bool commits = is(options, "commit");
    if (!commits) fill(&store, options->pending);
    const size_t room = 1 << 24;
    double *times = malloc(room * sizeof *times);
    if (times == NULL) exit(1);
    size_t turns = 0;
    long measured = 0, least = options->pending / 2;
    const double start = now_seconds();
    double now = start;
    while (now - start < options->seconds && turns < room) {
        const double before = now;
        long count = 1;
        if (commits) {
            commit_once(&store, (long)turns);
        } else if (is(options, "add")) {
            count = add_batch(&store, options->batch);
        } else if (is(options, "add-merged")) {
            count = add_batch_merged(&store, &intake, options->batch);
        } else {
            count = fire_batch(&store, is(options, "fire") ? NULL : &intake, options->batch);
        }
        now = now_seconds();
        times[turns++] = now - before;
        measured += count;
        // What fires is not replaced: with half of it gone it would be another work.
        if (strncmp(options->loop, "fire", 4) == 0 && measured >= least) break;
    }
    report(measured, now - start, times, turns);
    close_store(&store);
    free(times);
}

int main(int count, char **arguments) {
    const struct options options = {count == 6 ? arguments[1] : "", count == 6 ? arguments[2] : "",
                                    count == 6 ? atol(arguments[3]) : 0,
                                    count == 6 ? atoi(arguments[4]) : 0,
                                    count == 6 ? atof(arguments[5]) : 0};
    const char *loops[] = {"commit", "add", "add-merged", "fire", "fire-merged"};
    bool is_known = false;
    for (size_t i = 0; i < sizeof loops / sizeof *loops; ++i) {
        is_known = is_known || is(&options, loops[i]);
    }
    if (!is_known || options.batch < 1 || options.seconds <= 0) {
        fputs("usage: lmdb-loops commit|add|add-merged|fire|fire-merged DIRECTORY PENDING BATCH "
              "SECONDS\n",
              stderr);
        return 64;
    }
    run(&options);
    return 0;
}
