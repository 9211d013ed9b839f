// A load on a whole server: durable calls with an exact number of them in flight, from one channel.
//
// In C++ on gRPC's asynchronous API, so that on a machine that it shares with the server the
// generator takes as little of it as it can: a third of the CPU time of 'belfry load', which checks
// more. It prints one line of JSON.

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <vector>

#include "Client.h"
#include "Messages.h"
#include "Options.h"
#include "Subscribers.h"
#include "Wire.h"

namespace {

constexpr int kFillBatch = 1000;
const std::string kCenterService = "/belfry.v1.NotificationCenterService/";
const std::string kAdminService = "/belfry.v1.AdminService/";
const std::string kInfoMethod = "/belfry.v1.ServerService/GetServerInfo";

/// Lets each center notify.
void Authorize(Client& client, int centers) {
    for (int center = 1; center <= centers; ++center) {
        const std::string reply =
            client.Call(kCenterService + "RequestAuthorization", AuthorizationMessage(center));
        // granted, field 1, is there and true.
        if (reply.compare(0, 2, "\x08\x01") != 0) Fail("the person does not allow notifications");
    }
}

/// Makes the messages of calls that add, center by center in turn.
class Adds {
   public:
    Adds(Client& client, const Options& options, int batch)
        : batch_(batch),
          stream_(options.stream),
          base_(ClockMilliseconds(client.Call(kAdminService + "GetClock", ""))) {
        const Due due{options.due_after, options.due_spread};
        for (int center = 1; center <= options.centers; ++center) {
            messages_.emplace_back(center, static_cast<size_t>(std::max(1, batch)), due);
        }
    }

    Client::Work Work() {
        Client::Work work;
        if (stream_) {
            work.method = kCenterService + "Schedule";
            work.next = [this]() -> const std::string& { return act_ = Field(1, Next()); };
            work.check = [](const std::string& reply) {
                return CountAdded(reply) == CountResults(reply);
            };
            return work;
        }
        work.method = kCenterService + (batch_ == 0 ? "Add" : "AddBatch");
        work.next = [this]() -> const std::string& { return Next(); };
        work.check = [this](const std::string& reply) {
            return batch_ == 0 ? !reply.empty() : CountAdded(reply) == static_cast<size_t>(batch_);
        };
        return work;
    }

   private:
    const std::string& Next() {
        const auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(
            Clock::now() - start_);
        place_ = (place_ + 1) % messages_.size();
        return messages_[place_].Next(base_ + static_cast<uint64_t>(passed.count()));
    }

    const int batch_;
    const bool stream_;
    // An act of the stream.
    std::string act_;
    // The server's clock at the start: a key with another time would be refused as too old.
    const uint64_t base_;
    const Clock::time_point start_ = Clock::now();
    std::vector<AddMessage> messages_;
    size_t place_ = 0;
};

Client::Work InfoWork() {
    return {kInfoMethod,
            [message = std::string()]() -> const std::string& { return message; },
            [](const std::string& reply) { return !reply.empty(); }};
}

/// What the servers of Benchmarks/Echo answer: the pace of gRPC, and of this generator, alone.
Client::Work EchoWork() {
    const std::string payload(100, 'x');
    return {"/bench.Echo/Call", [payload]() -> const std::string& { return payload; },
            [payload](const std::string& reply) { return reply == payload; }};
}

/// The CPU time that this process took so far, in seconds.
double OwnTime() {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/// The CPU time that another process took so far, in seconds.
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
    return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double Percentile(const std::vector<float>& sorted, double fraction) {
    if (sorted.empty()) return 0;
    const auto count = static_cast<double>(sorted.size());
    return sorted[std::min(sorted.size() - 1, static_cast<size_t>(count * fraction))];
}

double Seconds(Clock::duration duration) {
    return std::chrono::duration<double>(duration).count();
}

/// Measures calls of one kind and prints what they took.
void Measure(Client& client, const Client::Work& work, const Options& options) {
    const auto start = Clock::now();
    const auto begin = start + std::chrono::duration<double>(options.warm_up);
    const auto end = begin + std::chrono::duration<double>(options.seconds);
    const long each = std::max(1, options.batch);
    std::vector<float> latencies;
    long calls = 0;
    std::optional<Clock::time_point> first;
    Clock::time_point last = start;
    double own_time = 0, server_time = 0;
    const auto finished = [&](Clock::time_point began, Clock::time_point ended) {
        ++calls;
        last = ended;
        const bool goes_on = ended < end && (options.limit == 0 || calls * each < options.limit);
        if (ended < begin) return goes_on;
        if (!first) {
            first = ended;
            own_time = OwnTime();
            server_time = TimeOf(options.server_pid);
            return goes_on;
        }
        latencies.push_back(static_cast<float>(Seconds(ended - began) * 1e6));
        return goes_on;
    };
    if (options.stream) {
        client.Stream(work, options.in_flight, CountResults, finished);
    } else {
        client.Run(work, options.in_flight, finished);
    }
    own_time = OwnTime() - own_time;
    server_time = TimeOf(options.server_pid) - server_time;

    // What was in flight when the end came was answered, and is among what fires later.
    calls += options.in_flight - 1;
    const double seconds = first ? Seconds(last - *first) : 0;
    std::sort(latencies.begin(), latencies.end());
    std::printf(
        "{\"measured\": %ld, \"seconds\": %.6f, \"total\": %ld, \"p50_us\": %.1f, "
        "\"p99_us\": %.1f, \"client_cpu_seconds\": %.3f, \"server_cpu_seconds\": %.3f}\n",
        static_cast<long>(latencies.size()) * each, seconds, calls * each,
        Percentile(latencies, 0.5), Percentile(latencies, 0.99), own_time, server_time);
}

void Fill(Client& client, const Options& options) {
    Authorize(client, options.centers);
    Adds adds(client, options, kFillBatch);
    long rest = (options.limit + kFillBatch - 1) / kFillBatch;
    const auto start = Clock::now();
    const long total = std::max(2L, rest) * kFillBatch;
    // Two in flight: the server works on one while the other is on its way.
    client.Run(adds.Work(), 2, [&](auto, auto) { return --rest > 1; });
    std::printf("{\"total\": %ld, \"seconds\": %.6f}\n", total, Seconds(Clock::now() - start));
}

/// Moves the clock past what is due, and measures until it is all durable and told.
void Fire(Client& client, const Options& options) {
    std::optional<Subscribers> subscribers;
    if (options.subscribers > 0) subscribers.emplace(options.server, 1, options.subscribers);
    const std::string message = AdvanceMessage(options.due_after + options.due_spread + 1);
    const double server_time = TimeOf(options.server_pid), own_time = OwnTime();
    const auto start = Clock::now();
    const uint64_t fired = CountFired(client.Call(kAdminService + "AdvanceClock", message));
    auto end = Clock::now();
    if (subscribers) end = std::max(end, subscribers->Wait(fired));
    std::printf(
        "{\"measured\": %llu, \"seconds\": %.6f, \"client_cpu_seconds\": %.3f, "
        "\"server_cpu_seconds\": %.3f}\n",
        static_cast<unsigned long long>(fired), Seconds(end - start), OwnTime() - own_time,
        TimeOf(options.server_pid) - server_time);
}

void Add(Client& client, const Options& options) {
    Client set_up(options.set_up);
    Authorize(set_up, options.centers);
    // The connection is there, with its handshake, before anything is measured.
    client.Call(kInfoMethod, "");
    Adds adds(set_up, options, options.batch);
    Measure(client, adds.Work(), options);
}

}  // namespace

int main(int count, char** arguments) {
    const Options options = Options::Parse(count, arguments);
    Client client(options.server);
    switch (options.kind) {
        case Options::Kind::kFill: Fill(client, options); break;
        case Options::Kind::kAdd: Add(client, options); break;
        case Options::Kind::kFire: Fire(client, options); break;
        case Options::Kind::kInfo: Measure(client, InfoWork(), options); break;
        case Options::Kind::kEcho: Measure(client, EchoWork(), options); break;
    }
    return 0;
}
