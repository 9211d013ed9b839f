#include "Options.h"

#include <getopt.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

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
    "  --stream           adds over one Schedule stream in place of calls\n"
    "  --centers 1000     the calls go among so many centers\n"
    "  --due 3600,60      requests are due after 3600 to 3660 seconds; default: 1 to 2 years\n"
    "  --subscribers 1    with --kind fire: wait until so many were told of all that fired\n"
    "  --server-pid 123   tells the CPU time of the server as well\n"
    "  --token-file PATH  the token that the calls to --server show\n"
    "  --tls-ca PATH      calls --server with TLS, and trusts the certificates of this file\n"
    "  --set-up unix:/p   where the calls go that prepare, since the token need not be allowed\n"
    "                     to make them; default: --server\n"
    "It prints one line of JSON.\n";

[[noreturn]] void Refuse(const std::string& why) {
    std::fprintf(stderr, "Load: %s\n'Load --help' tells the options\n", why.c_str());
    std::exit(64);
}

/// Reads the number that an option has.
double Number(const char* name, const std::string& text, double least, double most) {
    char* end;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(value >= least && value <= most)) {
        std::ostringstream why;
        why << "--" << name << " " << text << ": a number from " << least << " to " << most;
        Refuse(why.str());
    }
    return value;
}

int Count(const char* name, const std::string& text, int least, int most) {
    return static_cast<int>(Number(name, text, least, most));
}

Options::Kind KindOf(const char* name, const std::string& text) {
    static const std::map<std::string, Options::Kind> kKinds = {{"fill", Options::Kind::kFill},
                                                                {"add", Options::Kind::kAdd},
                                                                {"fire", Options::Kind::kFire},
                                                                {"info", Options::Kind::kInfo},
                                                                {"echo", Options::Kind::kEcho}};
    const auto kind = kKinds.find(text);
    if (kind == kKinds.end()) Refuse(std::string("--") + name + ": there is no kind " + text);
    return kind->second;
}

/// The text of a file, without the ends of lines behind it.
std::string TextOf(const char* name, const std::string& path) {
    std::ifstream file(path);
    std::string text(std::istreambuf_iterator<char>(file), {});
    text.erase(text.find_last_not_of("\r\n") + 1);
    if (text.empty()) Refuse(std::string("--") + name + " " + path + ": there is no text in it");
    return text;
}

void ReadDue(const char* name, const std::string& text, Options& options) {
    const size_t comma = text.find(',');
    if (comma == std::string::npos) Refuse(std::string("--") + name + ": two numbers, as 3600,60");
    // Four bytes on the wire have room for both together.
    constexpr double kMost = 100'000'000;
    options.due_after = static_cast<unsigned>(Number(name, text.substr(0, comma), 1, kMost));
    options.due_spread = static_cast<unsigned>(Number(name, text.substr(comma + 1), 1, kMost));
}

void Read(char key, const char* name, const std::string& value, Options& options) {
    switch (key) {
        case 's': options.server.address = value; break;
        case 'k': options.kind = KindOf(name, value); break;
        case 'n': options.in_flight = Count(name, value, 1, 1000); break;
        case 't': options.seconds = Number(name, value, 0.1, 86400); break;
        case 'w': options.warm_up = Number(name, value, 0, 3600); break;
        case 'l': options.limit = static_cast<long>(Number(name, value, 1, 1e9)); break;
        case 'b': options.batch = Count(name, value, 1, 1000); break;
        case 'm': options.stream = true; break;
        case 'c': options.centers = Count(name, value, 1, 10000); break;
        case 'd': ReadDue(name, value, options); break;
        case 'u': options.subscribers = Count(name, value, 0, 1000); break;
        case 'p': options.server_pid = Count(name, value, 1, 1 << 22); break;
        case 'a': options.server.token = TextOf(name, value); break;
        case 'r': options.server.roots = TextOf(name, value); break;
        case 'e': options.set_up.address = value; break;
        case 'h': std::fputs(kUsage, stdout); std::exit(0);
        default: std::exit(64);  // getopt has told why.
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
                                      {"stream", no_argument, nullptr, 'm'},
                                      {"centers", required_argument, nullptr, 'c'},
                                      {"due", required_argument, nullptr, 'd'},
                                      {"subscribers", required_argument, nullptr, 'u'},
                                      {"server-pid", required_argument, nullptr, 'p'},
                                      {"token-file", required_argument, nullptr, 'a'},
                                      {"tls-ca", required_argument, nullptr, 'r'},
                                      {"set-up", required_argument, nullptr, 'e'},
                                      {"help", no_argument, nullptr, 'h'},
                                      {nullptr, 0, nullptr, 0}};
    Options options;
    int index = 0;
    for (int key; (key = getopt_long(count, arguments, "", kOptions, &index)) != -1;) {
        const char* value = optarg == nullptr ? "" : optarg;
        Read(static_cast<char>(key), kOptions[index].name, value, options);
    }
    if (optind != count) Refuse(std::string("unexpected ") + arguments[optind]);
    if (options.server.address.empty()) Refuse("--server is missing");
    if (options.kind == Kind::kFill && options.limit == 0) Refuse("--kind fill needs --limit");
    if (options.stream && (options.kind != Kind::kAdd || options.batch > 0)) {
        Refuse("--stream is for --kind add, without --batch");
    }
    if (options.set_up.address.empty()) options.set_up = options.server;
    return options;
}
