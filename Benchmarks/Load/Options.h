#ifndef LOAD_OPTIONS_H
#define LOAD_OPTIONS_H

#include <string>
#include <vector>

/// What the command line asks for.
struct Options {
    enum class Kind { kAdd, kInfo, kEcho };

    std::string server;
    Kind kind = Kind::kAdd;
    std::vector<int> in_flight = {1, 16, 64};
    /// How long each number of calls in flight is measured.
    int seconds = 10;
    /// Requests of one call; 0 sends Add, more than that AddBatch.
    int batch = 0;
    /// Requests that are added before anything is measured.
    long fill = 0;
    /// The server's process, whose CPU time is told; 0 tells none.
    int server_pid = 0;

    /// Reads them, or ends the program with the usage.
    static Options Parse(int count, char** arguments);
};

#endif
