package replicas

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"records/internal/programtest"
)

// host is the name that clients know the service by.
const host = "records.example.com"

// proxy is a real nginx with the settings of docs/proxy.
type proxy struct {
	address string // HOST:PORT
	folder  string
	log     *programtest.Output
	roots   *x509.CertPool
	reload  string // the command that makes it read its files again
}

// around is the rest of nginx's settings, which a distribution's package has. With one
// process all clients share its connections to the replicas.
const around = `daemon off;
worker_processes 1;
pid nginx.pid;
error_log stderr;
events { worker_connections 2048; }
http {
	access_log off;
	client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
	include records.conf;
}
`

// newProxy starts an nginx in front of replicas for as long as the test lasts.
func newProxy(t *testing.T, replicas ...*replica) *proxy {
	t.Helper()
	program := os.Getenv("TEST_NGINX")
	if program == "" {
		t.Fatal("TEST_NGINX is not set: run make test")
	}
	p := &proxy{address: freeAddress(t), folder: t.TempDir(), log: new(programtest.Output)}
	p.certify(t)
	p.write(t, "records.conf", p.settings(t))
	p.direct(t, replicas...)
	main := around
	if os.Geteuid() == 0 {
		main = "user root;\n" + main // it could not enter the test's folder otherwise
	}
	p.write(t, "nginx.conf", main)
	args := []string{"-p", p.folder, "-e", "stderr", "-c", "nginx.conf"}
	p.reload = strings.Join(append(append([]string{program}, args...), "-s", "reload"), " ")
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = p.log, p.log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if <-ended; t.Failed() {
			t.Logf("nginx said:\n%s", p.log)
		}
	})
	until(t, "nginx listens", func() bool {
		select {
		case <-ended:
			t.Fatalf("nginx has ended:\n%s", p.log)
		default:
		}
		conn, err := net.DialTimeout("tcp", p.address, time.Second)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	})
	return p
}

// settings are those that the docs show, at this proxy's addresses and paths.
func (p *proxy) settings(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/proxy/nginx.conf")
	if err != nil {
		t.Fatal(err)
	}
	settings := string(text)
	for documented, here := range map[string]string{
		"listen 443 ssl http2;":       "listen " + p.address + " ssl http2;",
		"/etc/nginx/records-replicas": "replicas",
		"/etc/nginx/records.crt":      "records.crt",
		"/etc/nginx/records.key":      "records.key",
	} {
		if strings.Count(settings, documented) != 1 {
			t.Fatalf("docs/proxy/nginx.conf has %q %d times", documented, strings.Count(settings, documented))
		}
		settings = strings.Replace(settings, documented, here, 1)
	}
	return settings
}

// direct writes the list of replicas, before nginx starts.
func (p *proxy) direct(t *testing.T, replicas ...*replica) {
	t.Helper()
	list := ""
	for _, r := range replicas {
		list += fmt.Sprintf("server %s fail_timeout=1s;\n", r.address)
	}
	p.write(t, "replicas", list)
}

// watch runs the documented script, which keeps nginx to the replicas that are ready.
func (p *proxy) watch(t *testing.T, addresses ...string) {
	t.Helper()
	script, err := filepath.Abs("../../docs/proxy/ready.sh")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", append([]string{script, filepath.Join(p.folder, "replicas")}, addresses...)...)
	cmd.Env = append(os.Environ(), "RELOAD="+p.reload, "PATH="+filepath.Dir(os.Getenv("TEST_CURL"))+":"+os.Getenv("PATH"))
	cmd.Stdout, cmd.Stderr = p.log, p.log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
}

// lists reports whether nginx was told of exactly so many replicas.
func (p *proxy) lists(n int) bool {
	list, err := os.ReadFile(filepath.Join(p.folder, "replicas"))
	return err == nil && strings.Count(string(list), "server ") == n
}

func (p *proxy) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(p.folder, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// certify makes the certificate of the host, which the test's clients trust.
func (p *proxy) certify(t *testing.T) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: host}, DNSNames: []string{host},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	p.write(t, "records.crt", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed})))
	p.write(t, "records.key", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
	certificate, err := x509.ParseCertificate(signed)
	if err != nil {
		t.Fatal(err)
	}
	p.roots = x509.NewCertPool()
	p.roots.AddCert(certificate)
}

func (p *proxy) tls(protocols ...string) *tls.Config {
	return &tls.Config{RootCAs: p.roots, ServerName: host, NextProtos: protocols, MinVersion: tls.VersionTLS12}
}

// transport is a client of the proxy that calls from an address of the machine, ""
// for any, by HTTP/2 or by HTTP/1.1 on connections that it uses once: of those that
// stay open, nginx closes some in the very moment of a reload, as any server may that
// keeps to HTTP/1.1.
func (p *proxy) transport(t *testing.T, from string, two bool) *http.Transport {
	dialer := &net.Dialer{Timeout: 10 * time.Second}
	if from != "" {
		dialer.LocalAddr = &net.TCPAddr{IP: net.ParseIP(from)}
	}
	transport := &http.Transport{TLSClientConfig: p.tls(), DialContext: dialer.DialContext, ForceAttemptHTTP2: two, DisableKeepAlives: !two, DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	return transport
}
