package belfry

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// A place is where a server is, and what it is shown.
type place struct {
	// What gRPC calls, and where that is dialed.
	target, network, address string
	token                    string
	tls                      *tls.Config
	// Only processes of this user and of root may listen there; nil for a server that was named.
	owner *uint32
}

// locate finds the server as the command belfry does.
func locate(all options) (place, error) {
	named := first(all.server, os.Getenv("BELFRY_SERVER"))
	found, err := placeOf(named)
	if err != nil {
		return place{}, err
	}
	if strings.HasPrefix(named, "tls:") {
		if found.tls, err = configuration(all.tls); err != nil {
			return place{}, err
		}
	}
	found.token = first(all.token, os.Getenv("BELFRY_TOKEN"))
	// Who shows a certificate calls with its rights, and tells nobody the owner's token.
	showsCertificate := found.tls != nil &&
		(len(found.tls.Certificates) > 0 || found.tls.GetClientCertificate != nil)
	if found.token == "" && !showsCertificate && isOnThisMachine(found) {
		found.token, err = ownToken()
	}
	return found, err
}

func first(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

func placeOf(named string) (place, error) {
	if named == "" {
		directory, err := ownDirectory()
		if err != nil {
			return place{}, err
		}
		user := uint32(os.Geteuid())
		found := unixPlace(filepath.Join(directory, "belfry.sock"))
		found.owner = &user
		return found, nil
	}
	if path := strings.TrimPrefix(named, "unix:"); path != named || strings.HasPrefix(named, "/") {
		return unixPlace(path), nil
	}
	address := strings.TrimPrefix(strings.TrimPrefix(named, "tcp:"), "tls:")
	colon := strings.LastIndex(address, ":")
	if colon < 0 {
		return place{}, fmt.Errorf(
			"the server %q is none: name it as unix:/path/to.sock, tcp:host:port or tls:host:port", named)
	}
	host := strings.TrimSuffix(strings.TrimPrefix(address[:colon], "["), "]")
	joined := net.JoinHostPort(host, address[colon+1:])
	return place{target: "passthrough:///" + joined, network: "tcp", address: joined}, nil
}

func unixPlace(path string) place {
	return place{target: "passthrough:///localhost", network: "unix", address: path}
}

// dial connects, and makes sure of who listens at the default socket.
func (p place) dial(ctx context.Context, _ string) (net.Conn, error) {
	connection, err := new(net.Dialer).DialContext(ctx, p.network, p.address)
	if err != nil || p.owner == nil {
		return connection, err
	}
	if err := checkListener(connection, *p.owner); err != nil {
		connection.Close()
		return nil, err
	}
	return connection, nil
}

func checkListener(connection net.Conn, owner uint32) error {
	raw, err := connection.(*net.UnixConn).SyscallConn()
	if err != nil {
		return err
	}
	var peer *syscall.Ucred
	var failure error
	err = raw.Control(func(descriptor uintptr) {
		peer, failure = syscall.GetsockoptUcred(
			int(descriptor), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	})
	if err = firstError(err, failure); err != nil {
		return err
	}
	if peer.Uid != owner && peer.Uid != 0 {
		return fmt.Errorf("the server at %s belongs to another user (%d)", connection.RemoteAddr(), peer.Uid)
	}
	return nil
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// ownDirectory is where your own server has its socket and its token.
func ownDirectory() (string, error) {
	user := os.Getuid()
	path := fmt.Sprintf("/tmp/belfry-%d", user)
	system := fmt.Sprintf("/run/user/%d", user)
	if runtime := os.Getenv("XDG_RUNTIME_DIR"); strings.HasPrefix(runtime, "/") {
		path = runtime + "/belfry"
	} else if found, err := os.Stat(system); err == nil && found.IsDir() {
		path = system + "/belfry"
	}
	// Every user may write to /tmp: another one may have made it first, or link to it.
	for _, look := range []func(string) (os.FileInfo, error){os.Lstat, os.Stat} {
		found, err := look(path)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		if owner := found.Sys().(*syscall.Stat_t).Uid; owner != uint32(os.Geteuid()) && owner != 0 {
			return "", fmt.Errorf("the directory %s belongs to another user (%d): remove it, or name the server", path, owner)
		}
		mode := found.Mode()
		if mode&os.ModeSymlink == 0 && mode.Perm()&0o002 != 0 && mode&os.ModeSticky == 0 {
			return "", fmt.Errorf("everybody may write into the directory %s: remove it, or name the server", path)
		}
	}
	return path, nil
}

// ownToken is the token that your own server made; empty where there is none.
func ownToken() (string, error) {
	directory, err := ownDirectory()
	if err != nil {
		return "", err
	}
	path := filepath.Join(directory, "token")
	flags := os.O_RDONLY | syscall.O_NOFOLLOW | syscall.O_NONBLOCK | syscall.O_CLOEXEC
	file, err := os.OpenFile(path, flags, 0)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer file.Close()
	found, err := file.Stat()
	if err != nil {
		return "", err
	}
	owner := found.Sys().(*syscall.Stat_t).Uid
	if !found.Mode().IsRegular() || owner != uint32(os.Geteuid()) || found.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("%s is not a file that only you may read: remove it", path)
	}
	text, err := io.ReadAll(io.LimitReader(file, 4096))
	return strings.TrimSpace(string(text)), err
}

// isOnThisMachine says whether only programs of this machine listen there.
func isOnThisMachine(found place) bool {
	if found.network == "unix" {
		return false
	}
	host, _, err := net.SplitHostPort(found.address)
	if err != nil {
		return false
	}
	address := net.ParseIP(host)
	return host == "localhost" || address != nil && address.IsLoopback()
}

// configuration is whom to trust over TLS, and the certificate to show.
func configuration(given *tls.Config) (*tls.Config, error) {
	if given != nil {
		return given.Clone(), nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if path := os.Getenv("BELFRY_TLS_CA"); path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("$BELFRY_TLS_CA: %s has no certificate", path)
		}
	}
	certificate, key := os.Getenv("BELFRY_TLS_CERTIFICATE"), os.Getenv("BELFRY_TLS_KEY")
	if (certificate == "") != (key == "") {
		return nil, errors.New("$BELFRY_TLS_CERTIFICATE and $BELFRY_TLS_KEY need each other")
	}
	if certificate != "" {
		pair, err := tls.LoadX509KeyPair(certificate, key)
		if err != nil {
			return nil, err
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}
