#ifndef LOAD_OPTIONS_H
#define LOAD_OPTIONS_H

#include <string>

#include "Client.h"

/// What the command line asks for.
struct Options {
    enum class Kind { kFill, kAdd, kFire, kInfo, kEcho };

    Target server;
    /// Where the calls go that prepare a measurement; without an address, to the server.
    Target set_up;
    Kind kind = Kind::kAdd;
    int in_flight = 64;
    /// How long is measured, and before that not.
    double seconds = 10, warm_up = 1;
    /// Ends the measurement after so many requests; 0 has no such end.
    long limit = 0;
    /// Requests of one call; 0 sends Add, more than that AddBatch.
    int batch = 0;
    /// Adds over one stream in place of calls.
    bool stream = false;
    /// The centers among which the calls go in turn.
    int centers = 1;
    /// Requests become due after so many seconds at least, spread over so many more.
    unsigned due_after = 365 * 24 * 3600, due_spread = 365 * 24 * 3600;
    /// Streams that are told the events of the first center while it fires.
    int subscribers = 0;
    /// The server's process, whose CPU time is told; 0 tells none.
    int server_pid = 0;

    /// Reads them, or ends the program with the usage.
    static Options Parse(int count, char** arguments);
};

#endif
