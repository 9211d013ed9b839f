// A closed loop of adds, or of firings, on a peer: so many connections, each with so many requests
// in flight. One thread and no library, so that the generator takes as little of the machine as it
// can. It prints one line of JSON.

#include "wire.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { REST_NANOSECONDS = 10 * 1000 * 1000 };

static int64_t now_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * (int64_t)1000000000 + now.tv_nsec;
}

static double own_time(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

// What a run has seen so far.
static struct {
    const struct options *options;
    const struct protocol *protocol;
    int64_t begin, end, first, last;
    double time_before;
    float *latencies;
    size_t turns, room;
    long total, fired;
    bool goes_on;
    int active;
} run;

static void keep_latency(int64_t nanoseconds) {
    if (run.turns == run.room) {
        run.room = run.room == 0 ? 1 << 16 : run.room * 2;
        run.latencies = realloc(run.latencies, run.room * sizeof *run.latencies);
        if (run.latencies == NULL) fail("no memory");
    }
    run.latencies[run.turns++] = (float)nanoseconds / 1000;
}

static void start_turn(struct connection *connection) {
    connection->began = now_nanoseconds();
    connection->value = 0;
    connection->waiting = connection->fires ? 1 : run.options->pipeline;
    for (int i = 0; i < connection->waiting; ++i) {
        if (connection->fires) {
            run.protocol->fire(connection);
        } else {
            run.protocol->add(run.options, connection, i == 0);
        }
    }
    flush_connection(connection);
}

// Takes note of a turn of adds that ended now.
static void count_adds(struct connection *connection, int64_t now) {
    run.total += run.options->pipeline;
    if (now >= run.end || (run.options->limit > 0 && run.total >= run.options->limit)) {
        run.goes_on = false;
    }
    if (now < run.begin) return;
    if (run.first == 0) {
        run.first = now;
        run.time_before = own_time();
        return;
    }
    keep_latency(now - connection->began);
    run.last = now;
}

static void end_turn(struct connection *connection) {
    const int64_t now = now_nanoseconds();
    if (connection->fires) {
        run.fired += connection->value;
        if (run.options->operation == FIRE) {
            keep_latency(now - connection->began);
            run.last = now;
            if (connection->value == 0) run.goes_on = false;
        }
    } else if (run.goes_on) {
        count_adds(connection, now);
    } else {
        run.total += run.options->pipeline;
    }
    if (!run.goes_on) {
        --run.active;
    } else if (connection->fires && connection->value < FIRING_BATCH) {
        connection->rests_until = now + REST_NANOSECONDS;
    } else {
        start_turn(connection);
    }
}

static void receive(struct connection *connection) {
    const ssize_t count = read(connection->fd, connection->in + connection->in_size,
                               BUFFER_SIZE - connection->in_size);
    if (count <= 0) fail("the server ended a connection: %s", strerror(errno));
    connection->in_size += (size_t)count;
    size_t place = 0;
    for (;;) {
        long value = 0;
        const size_t size = run.protocol->reply(connection, connection->in + place,
                                                connection->in_size - place, &value);
        if (size == 0) break;
        place += size;
        if (value == NO_REPLY) continue;
        connection->value += value;
        if (--connection->waiting == 0) end_turn(connection);
    }
    connection->in_size -= place;
    memmove(connection->in, connection->in + place, connection->in_size);
}

// Goes on with the connection that fires when its rest is over.
static void wake(struct connection *connection) {
    if (connection->rests_until == 0) return;
    if (!run.goes_on) {
        connection->rests_until = 0;
        --run.active;
    } else if (now_nanoseconds() >= connection->rests_until) {
        connection->rests_until = 0;
        start_turn(connection);
    }
}

static void drive(struct connection *connections, int count) {
    const int poller = epoll_create1(0);
    for (int i = 0; i < count; ++i) {
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &connections[i]};
        if (epoll_ctl(poller, EPOLL_CTL_ADD, connections[i].fd, &event) != 0) fail("epoll");
    }
    const int64_t start = now_nanoseconds();
    run.begin = start + (int64_t)(run.options->warm_up * 1e9);
    run.end = run.begin + (int64_t)(run.options->seconds * 1e9);
    run.goes_on = true;
    run.active = count;
    if (run.options->operation == FIRE) {
        run.first = start;
        run.time_before = own_time();
    }
    for (int i = 0; i < count; ++i) start_turn(&connections[i]);
    while (run.active > 0) {
        struct epoll_event events[256];
        const bool rests = connections[count - 1].rests_until > 0;
        const int ready = epoll_wait(poller, events, 256, rests ? 1 : 60000);
        if (ready == 0 && !rests) fail("the server has not answered for a minute");
        for (int i = 0; i < ready; ++i) receive(events[i].data.ptr);
        wake(&connections[count - 1]);
    }
    close(poller);
}

static int compare(const void *left, const void *right) {
    const float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

static double percentile(double fraction) {
    if (run.turns == 0) return 0;
    const size_t place = (size_t)((double)run.turns * fraction);
    return run.latencies[place < run.turns ? place : run.turns - 1];
}

static void report(void) {
    qsort(run.latencies, run.turns, sizeof *run.latencies, compare);
    const bool fires = run.options->operation == FIRE;
    const long measured = fires ? run.fired : (long)run.turns * run.options->pipeline;
    printf("{\"measured\": %ld, \"seconds\": %.6f, \"total\": %ld, \"fired\": %ld, "
           "\"p50_us\": %.1f, \"p99_us\": %.1f, \"client_cpu_seconds\": %.3f}\n",
           measured, run.last > run.first ? (double)(run.last - run.first) / 1e9 : 0, run.total,
           run.fired, percentile(0.5), percentile(0.99), own_time() - run.time_before);
}

static const struct protocol *protocol_of(const char *name) {
    const struct protocol *all[] = {&redis_protocol, &beanstalkd_protocol, &nats_protocol,
                                    &connect_protocol};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        if (strcmp(all[i]->name, name) == 0) return all[i];
    }
    fail("no peer is called %s", name);
}

static enum operation operation_of(const char *name) {
    if (strcmp(name, "fill") == 0) return FILL;
    if (strcmp(name, "add") == 0) return ADD;
    if (strcmp(name, "balance") == 0) return BALANCE;
    if (strcmp(name, "fire") == 0) return FIRE;
    fail("no operation is called %s", name);
}

static void read_option(int key, struct options *options) {
    char *end;
    switch (key) {
        case 'p': options->peer = optarg; break;
        case 's': options->target = optarg; break;
        case 'k': options->operation = operation_of(optarg); break;
        case 'n': options->connections = atoi(optarg); break;
        case 'b': options->pipeline = atoi(optarg); break;
        case 't': options->seconds = atof(optarg); break;
        case 'w': options->warm_up = atof(optarg); break;
        case 'l': options->limit = atol(optarg); break;
        case 'd':
            options->due_after = strtoll(optarg, &end, 10);
            options->due_spread = *end == ',' ? strtoll(end + 1, NULL, 10) : 0;
            break;
        case 'a': options->clock_ahead = strtoll(optarg, NULL, 10); break;
        case 'A': options->add_script = optarg; break;
        case 'F': options->fire_script = optarg; break;
        default: fail("usage: see Benchmarks/Peers/README.md");
    }
}

static struct options read_options(int count, char **arguments) {
    static const struct option names[] = {
        {"peer", required_argument, NULL, 'p'},       {"server", required_argument, NULL, 's'},
        {"kind", required_argument, NULL, 'k'},       {"connections", required_argument, NULL, 'n'},
        {"pipeline", required_argument, NULL, 'b'},   {"seconds", required_argument, NULL, 't'},
        {"warm-up", required_argument, NULL, 'w'},    {"limit", required_argument, NULL, 'l'},
        {"due", required_argument, NULL, 'd'},        {"clock-ahead", required_argument, NULL, 'a'},
        {"add-script", required_argument, NULL, 'A'}, {"fire-script", required_argument, NULL, 'F'},
        {NULL, 0, NULL, 0}};
    const int64_t year = 365LL * 86400 * 1000;
    struct options options = {.operation = ADD, .connections = 1, .pipeline = 1, .seconds = 10,
                              .warm_up = 1, .due_after = year, .due_spread = year};
    for (int key; (key = getopt_long(count, arguments, "", names, NULL)) != -1;) {
        read_option(key, &options);
    }
    const bool is_sound = options.peer != NULL && options.target != NULL && optind == count &&
                          options.connections > 0 && options.pipeline > 0 && options.due_spread > 0;
    if (!is_sound) fail("usage: see Benchmarks/Peers/README.md");
    if (options.operation == FIRE) options.connections = 1;
    if (options.operation == FILL) options.seconds = 86400;
    return options;
}

int main(int count, char **arguments) {
    const struct options options = read_options(count, arguments);
    run.options = &options;
    run.protocol = protocol_of(options.peer);
    const bool fires = options.operation == FIRE || options.operation == BALANCE;
    if (fires && run.protocol->fire == NULL) fail("%s has nothing that fires", options.peer);
    const int all = options.connections + (options.operation == BALANCE ? 1 : 0);
    struct connection *connections = calloc((size_t)all, sizeof *connections);
    if (connections == NULL) fail("no memory");
    for (int i = 0; i < all; ++i) {
        connections[i].number = i;
        // The one that fires comes last.
        connections[i].fires = fires && i == all - 1;
        open_connection(options.target, &connections[i]);
        if (run.protocol->greet != NULL) run.protocol->greet(&options, &connections[i]);
    }
    drive(connections, all);
    report();
    return 0;
}
