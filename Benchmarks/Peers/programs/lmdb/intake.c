#include "store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_identifiers(const void *left, const void *right) {
    const struct entry *a = left, *b = right;
    return memcmp(a->identifier, b->identifier, IDENTIFIER_SIZE);
}

static int compare_due(const void *left, const void *right) {
    const struct entry *a = left, *b = right;
    if (a->due != b->due) return a->due < b->due ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static struct entry *make_entries(size_t count) {
    struct entry *entries = malloc(count * sizeof *entries);
    if (entries == NULL) check(MDB_PANIC, "no memory");
    return entries;
}

void fill(struct store *store, long count) {
    const size_t size = (size_t)count;
    struct entry *entries = make_entries(size);
    for (size_t i = 0; i < size; ++i) entries[i] = make_entry(store);
    MDB_txn *transaction = begin(store);
    for (size_t i = 0; i < size; ++i) append_record(transaction, store, &entries[i]);
    qsort(entries, size, sizeof *entries, compare_identifiers);
    for (size_t i = 0; i < size; ++i) index_identifier(transaction, store, &entries[i]);
    qsort(entries, size, sizeof *entries, compare_due);
    for (size_t i = 0; i < size; ++i) index_due(transaction, store, &entries[i]);
    check(mdb_txn_commit(transaction), "commit");
    free(entries);
}

struct intake make_intake(void) {
    return (struct intake){.entries = make_entries(MERGE_AT * 2),
                           .frozen_by_identifier = make_entries(MERGE_AT * 2),
                           .frozen_by_due = make_entries(MERGE_AT * 2)};
}

void take(struct intake *intake, const struct entry *entry) {
    if (intake->count == MERGE_AT * 2) check(MDB_PANIC, "the merge does not keep up");
    intake->entries[intake->count++] = *entry;
}

// Begins a merge of all that waits.
static void freeze(struct intake *intake) {
    const size_t size = intake->count * sizeof *intake->entries;
    memcpy(intake->frozen_by_identifier, intake->entries, size);
    memcpy(intake->frozen_by_due, intake->entries, size);
    qsort(intake->frozen_by_identifier, intake->count, sizeof *intake->entries,
          compare_identifiers);
    qsort(intake->frozen_by_due, intake->count, sizeof *intake->entries, compare_due);
    intake->frozen = intake->count;
    intake->count = intake->merged_identifiers = intake->merged_due = 0;
}

void merge_slice(MDB_txn *transaction, struct store *store, struct intake *intake,
                 bool with_due) {
    const bool is_merged = intake->merged_identifiers == intake->frozen &&
                           (!with_due || intake->merged_due == intake->frozen);
    if (is_merged && intake->count >= MERGE_AT) freeze(intake);
    for (int i = 0; i < SLICE && intake->merged_identifiers < intake->frozen; ++i) {
        index_identifier(transaction, store,
                         &intake->frozen_by_identifier[intake->merged_identifiers++]);
    }
    for (int i = 0; with_due && i < SLICE && intake->merged_due < intake->frozen; ++i) {
        index_due(transaction, store, &intake->frozen_by_due[intake->merged_due++]);
    }
}
