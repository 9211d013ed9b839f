#include "Options.h"

#include <getopt.h>

#include <cstdio>
#include <cstdlib>
#include <map>

namespace {

constexpr char kUsage[] =
    "usage: Load --server unix:/path|host:port [options]\n"
    "  --kind add         what is called: add; fill, which adds --limit requests in batches of\n"
    "                     1,000; fire, which moves a manual clock past --due; info for\n"
    "                     GetServerInfo, which touches no store; echo for the echo servers\n"
    "  --in-flight 64\n"
    "  --seconds 10       how long is measured\n"
    "  --warm-up 1        seconds that go before\n"
    "  --limit 100000     ends after so many requests\n"
    "  --batch 256        AddBatch with as many requests in each call\n"
    "  --centers 1000     the calls go among so many centers\n"
    "  --due 3600,60      requests are due after 3600 to 3660 seconds; default: 1 to 2 years\n"
    "  --subscribers 1    with --kind fire: wait until so many were told of all that fired\n"
    "  --server-pid 123   tells the CPU time of the server as well\n"
    "It prints one line of JSON.\n";

[[noreturn]] void Refuse() {
    std::fputs(kUsage, stderr);
    std::exit(64);
}

double Number(const std::string& text, double least, double most) {
    char* end;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || value < least || value > most) Refuse();
    return value;
}

int Count(const std::string& text, int least, int most) {
    return static_cast<int>(Number(text, least, most));
}

Options::Kind KindOf(const std::string& text) {
    static const std::map<std::string, Options::Kind> kKinds = {{"fill", Options::Kind::kFill},
                                                                {"add", Options::Kind::kAdd},
                                                                {"fire", Options::Kind::kFire},
                                                                {"info", Options::Kind::kInfo},
                                                                {"echo", Options::Kind::kEcho}};
    const auto kind = kKinds.find(text);
    if (kind == kKinds.end()) Refuse();
    return kind->second;
}

void ReadDue(const std::string& text, Options& options) {
    const size_t comma = text.find(',');
    if (comma == std::string::npos) Refuse();
    // Four bytes on the wire have room for both together.
    constexpr double kMost = 100'000'000;
    options.due_after = static_cast<unsigned>(Number(text.substr(0, comma), 1, kMost));
    options.due_spread = static_cast<unsigned>(Number(text.substr(comma + 1), 1, kMost));
}

void Read(char key, const std::string& value, Options& options) {
    switch (key) {
        case 's': options.server = value; break;
        case 'k': options.kind = KindOf(value); break;
        case 'n': options.in_flight = Count(value, 1, 1000); break;
        case 't': options.seconds = Number(value, 0.1, 86400); break;
        case 'w': options.warm_up = Number(value, 0, 3600); break;
        case 'l': options.limit = static_cast<long>(Number(value, 1, 1e9)); break;
        case 'b': options.batch = Count(value, 1, 1000); break;
        case 'c': options.centers = Count(value, 1, 10000); break;
        case 'd': ReadDue(value, options); break;
        case 'u': options.subscribers = Count(value, 0, 1000); break;
        case 'p': options.server_pid = Count(value, 1, 1 << 22); break;
        default: Refuse();
    }
}

}  // namespace

Options Options::Parse(int count, char** arguments) {
    static const option kOptions[] = {{"server", required_argument, nullptr, 's'},
                                      {"kind", required_argument, nullptr, 'k'},
                                      {"in-flight", required_argument, nullptr, 'n'},
                                      {"seconds", required_argument, nullptr, 't'},
                                      {"warm-up", required_argument, nullptr, 'w'},
                                      {"limit", required_argument, nullptr, 'l'},
                                      {"batch", required_argument, nullptr, 'b'},
                                      {"centers", required_argument, nullptr, 'c'},
                                      {"due", required_argument, nullptr, 'd'},
                                      {"subscribers", required_argument, nullptr, 'u'},
                                      {"server-pid", required_argument, nullptr, 'p'},
                                      {nullptr, 0, nullptr, 0}};
    Options options;
    for (int key; (key = getopt_long(count, arguments, "", kOptions, nullptr)) != -1;) {
        Read(static_cast<char>(key), optarg == nullptr ? "" : optarg, options);
    }
    if (options.server.empty() || optind != count) Refuse();
    if (options.kind == Kind::kFill && options.limit == 0) Refuse();
    return options;
}
