// A load on a whole server: durable calls with an exact number of them in flight, from one channel.
//
// In C++ on gRPC's asynchronous API, so that on a machine that it shares with the server the
// generator takes as little of it as it can.

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>
#include <vector>

#include "Client.h"
#include "Messages.h"
#include "Options.h"

namespace {

constexpr int kFillBatch = 1000;

Client::Work AuthorizationWork() {
    return {"/belfry.v1.NotificationCenterService/RequestAuthorization",
            [message = AuthorizationMessage()]() -> const std::string& { return message; },
            // granted, field 1, is there and true.
            [](const std::string& reply) { return reply.compare(0, 2, "\x08\x01") == 0; }};
}

Client::Work AddWork() {
    auto message = std::make_shared<AddMessage>(1);
    return {"/belfry.v1.NotificationCenterService/Add",
            [message]() -> const std::string& { return message->Next(); },
            [](const std::string& reply) { return !reply.empty(); }};
}

Client::Work AddBatchWork(int count) {
    auto message = std::make_shared<AddMessage>(count);
    return {"/belfry.v1.NotificationCenterService/AddBatch",
            [message]() -> const std::string& { return message->Next(); },
            [count](const std::string& reply) {
                return CountAdded(reply) == static_cast<size_t>(count);
            }};
}

Client::Work InfoWork() {
    return {"/belfry.v1.ServerService/GetServerInfo",
            [message = std::string()]() -> const std::string& { return message; },
            [](const std::string& reply) { return !reply.empty(); }};
}

/// What the servers of Benchmarks/Echo answer: the pace of gRPC, and of this generator, alone.
Client::Work EchoWork() {
    const std::string payload(100, 'x');
    return {"/bench.Echo/Call", [payload]() -> const std::string& { return payload; },
            [payload](const std::string& reply) { return reply == payload; }};
}

/// What is measured; a load of adds is prepared first.
Client::Work Prepare(Client& client, const Options& options) {
    switch (options.kind) {
        case Options::Kind::kInfo:
            return InfoWork();
        case Options::Kind::kEcho:
            return EchoWork();
        case Options::Kind::kAdd:
            break;
    }
    client.Run(AuthorizationWork(), 1, [](auto, auto) { return false; });
    long rest = (options.fill + kFillBatch - 1) / kFillBatch;
    if (rest > 0) client.Run(AddBatchWork(kFillBatch), 2, [&](auto, auto) { return --rest > 0; });
    return options.batch == 0 ? AddWork() : AddBatchWork(options.batch);
}

/// The CPU time that this process took so far, in microseconds.
double OwnTime() {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 + usage.ru_utime.tv_usec +
           usage.ru_stime.tv_usec;
}

/// The CPU time that another process took so far, in microseconds.
double TimeOf(int pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    std::getline(file, line);
    // utime and stime are the 12th and 13th field after the name, which may hold spaces.
    std::istringstream fields(line.substr(line.rfind(')') + 1));
    std::string skipped;
    for (int i = 0; i < 11; ++i) fields >> skipped;
    double user = 0, system = 0;
    fields >> user >> system;
    return (user + system) * 1e6 / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double Percentile(const std::vector<double>& sorted, double fraction) {
    return sorted[std::min(sorted.size() - 1, static_cast<size_t>(sorted.size() * fraction))];
}

/// Measures one number of calls in flight and prints its row.
void Measure(Client& client, const Client::Work& work, int in_flight, const Options& options) {
    const auto begin = Clock::now() + std::chrono::seconds(1);
    const auto end = begin + std::chrono::seconds(options.seconds);
    std::vector<double> latencies;
    double own_time = 0, server_time = 0;
    client.Run(work, in_flight, [&](Clock::time_point began, Clock::time_point ended) {
        if (ended < begin) return true;
        if (latencies.empty()) {
            own_time = OwnTime();
            server_time = TimeOf(options.server_pid);
        }
        latencies.push_back(std::chrono::duration<double, std::micro>(ended - began).count());
        return ended < end;
    });
    own_time = OwnTime() - own_time;
    server_time = TimeOf(options.server_pid) - server_time;

    const auto calls = static_cast<double>(latencies.size());
    const double rate = calls / options.seconds;
    std::sort(latencies.begin(), latencies.end());
    std::printf("%9d %10.0f %11.0f %8.0f %8.0f %12.1f %12.1f\n", in_flight, rate,
                rate * std::max(1, options.batch), Percentile(latencies, 0.5),
                Percentile(latencies, 0.99), own_time / calls, server_time / calls);
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
    const Options options = Options::Parse(count, arguments);
    Client client(options.server);
    const Client::Work work = Prepare(client, options);
    std::printf("%9s %10s %11s %8s %8s %12s %12s\n", "in flight", "calls/s", "requests/s",
                "p50 us", "p99 us", "client us", "server us");
    for (const int in_flight : options.in_flight) Measure(client, work, in_flight, options);
    return 0;
}
