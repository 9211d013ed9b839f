package belfry

import (
	"os"
	"path/filepath"
	"testing"
)

func setenv(t *testing.T, values map[string]string) {
	for _, name := range []string{
		"BELFRY_SERVER", "BELFRY_TOKEN", "BELFRY_TLS_CA", "BELFRY_TLS_CERTIFICATE", "BELFRY_TLS_KEY",
		"XDG_RUNTIME_DIR",
	} {
		t.Setenv(name, values[name])
	}
}

func TestTheServerIsFoundAsTheCommandFindsIt(t *testing.T) {
	home := t.TempDir()
	own := filepath.Join(home, "belfry")
	if err := os.Mkdir(own, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(own, "token"), []byte("own\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, each := range []struct {
		named, address, token string
		usesTLS               bool
	}{
		{"", own + "/belfry.sock", "", false},
		{"/run/b.sock", "/run/b.sock", "", false},
		{"unix:/run/b.sock", "/run/b.sock", "", false},
		{"tcp:127.0.0.1:80", "127.0.0.1:80", "own", false},
		{"localhost:80", "localhost:80", "own", false},
		{"tcp:::1:80", "[::1]:80", "own", false},
		{"tls:[::1]:80", "[::1]:80", "own", true},
		{"tls:bells.example.org:80", "bells.example.org:80", "", true},
		{"127.evil.example.org:80", "127.evil.example.org:80", "", false},
	} {
		setenv(t, map[string]string{"XDG_RUNTIME_DIR": home, "BELFRY_SERVER": each.named})
		found, err := locate(options{})
		if err != nil || found.address != each.address || found.token != each.token ||
			(found.tls != nil) != each.usesTLS {
			t.Errorf("%q is %+v: %v", each.named, found, err)
		}
		t.Setenv("BELFRY_TOKEN", "given")
		if found, err = locate(options{}); err != nil || found.token != "given" {
			t.Errorf("%q gets the token %q: %v", each.named, found.token, err)
		}
		if found, err = locate(options{token: "other"}); err != nil || found.token != "other" {
			t.Errorf("%q gets the token %q: %v", each.named, found.token, err)
		}
	}
}

func TestATokenThatOthersMayReadIsNotSent(t *testing.T) {
	home := t.TempDir()
	setenv(t, map[string]string{"XDG_RUNTIME_DIR": home, "BELFRY_SERVER": "tcp:127.0.0.1:80"})
	token := filepath.Join(home, "belfry", "token")
	if err := os.Mkdir(filepath.Dir(token), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(token, []byte("own"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := locate(options{}); err == nil {
		t.Error("a token that everybody may read is taken")
	}
	if err := os.Rename(token, token+".there"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(token+".there", token); err != nil {
		t.Fatal(err)
	}
	if _, err := locate(options{}); err == nil {
		t.Error("a token behind a link is taken")
	}
}

func TestADirectoryOfOthersIsNotTrusted(t *testing.T) {
	home := t.TempDir()
	setenv(t, map[string]string{"XDG_RUNTIME_DIR": home})
	own := filepath.Join(home, "belfry")
	if err := os.Mkdir(own, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(own, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := locate(options{}); err == nil {
		t.Error("a directory that everybody may write into is trusted")
	}
	if os.Geteuid() != 0 {
		return
	}
	if err := os.Chmod(own, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(own, 65534, 65534); err != nil {
		t.Fatal(err)
	}
	if _, err := locate(options{}); err == nil {
		t.Error("a directory of another user is trusted")
	}
}

func TestATLSPairIsWhole(t *testing.T) {
	setenv(t, map[string]string{"BELFRY_SERVER": "tls:localhost:80", "BELFRY_TLS_KEY": "key.pem"})
	if _, err := locate(options{}); err == nil {
		t.Error("a key without a certificate is taken")
	}
	setenv(t, map[string]string{"BELFRY_SERVER": "tls:localhost:80", "BELFRY_TLS_CA": "/dev/null"})
	if _, err := locate(options{}); err == nil {
		t.Error("a file without a certificate is taken")
	}
}

func TestKeysAreOfVersion7(t *testing.T) {
	key := NewKey()
	if len(key) != 36 || key[14] != '7' || !(key[19] >= '8' && key[19] <= 'b') || key == NewKey() {
		t.Error(key)
	}
}
