#include "wire.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("wire-load: ", stderr);
    vfprintf(stderr, format, arguments);
    fputs("\n", stderr);
    va_end(arguments);
    exit(1);
}

static int open_unix(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) fail("%s is too long for a socket", path);
    strcpy(address.sun_path, path);
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        fail("%s: %s", path, strerror(errno));
    }
    return fd;
}

static int open_tcp(const char *target) {
    const char *colon = strrchr(target, ':');
    if (colon == NULL) fail("%s is no unix:PATH and no HOST:PORT", target);
    char host[256];
    snprintf(host, sizeof host, "%.*s", (int)(colon - target), target);
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_family = AF_INET};
    struct addrinfo *address;
    if (getaddrinfo(host, colon + 1, &hints, &address) != 0) fail("no host %s", host);
    const int fd = socket(address->ai_family, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, address->ai_addr, address->ai_addrlen) != 0) {
        fail("%s: %s", target, strerror(errno));
    }
    freeaddrinfo(address);
    const int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

void open_connection(const char *target, struct connection *connection) {
    const bool is_unix = strncmp(target, "unix:", 5) == 0;
    connection->fd = is_unix ? open_unix(target + 5) : open_tcp(target);
    connection->in = malloc(BUFFER_SIZE);
    connection->out = malloc(BUFFER_SIZE);
    if (connection->in == NULL || connection->out == NULL) fail("no memory");
}

void send_bytes(struct connection *connection, const void *bytes, size_t size) {
    if (connection->out_size + size > BUFFER_SIZE) fail("a turn is too large");
    memcpy(connection->out + connection->out_size, bytes, size);
    connection->out_size += size;
}

void send_text(struct connection *connection, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const size_t room = BUFFER_SIZE - connection->out_size;
    const int size = vsnprintf(connection->out + connection->out_size, room, format, arguments);
    va_end(arguments);
    if (size < 0 || (size_t)size >= room) fail("a turn is too large");
    connection->out_size += (size_t)size;
}

void flush_connection(struct connection *connection) {
    // The server reads while it answers, and answers are small: this never waits for long.
    for (size_t sent = 0; sent < connection->out_size;) {
        const ssize_t count =
            write(connection->fd, connection->out + sent, connection->out_size - sent);
        if (count < 0 && errno != EINTR) fail("write: %s", strerror(errno));
        if (count > 0) sent += (size_t)count;
    }
    connection->out_size = 0;
}

const char *expect_line(struct connection *connection, const char *prefix) {
    static char line[4096];
    flush_connection(connection);
    size_t size = 0;
    while (size < sizeof line - 1 && (size == 0 || line[size - 1] != '\n')) {
        if (read(connection->fd, line + size, 1) != 1) fail("no answer: wanted %s", prefix);
        ++size;
    }
    line[size] = '\0';
    if (strncmp(line, prefix, strlen(prefix)) != 0) fail("wanted %s, not %s", prefix, line);
    return line;
}

size_t line_size(const char *bytes, size_t size) {
    const char *end = memchr(bytes, '\n', size);
    return end == NULL ? 0 : (size_t)(end - bytes) + 1;
}
