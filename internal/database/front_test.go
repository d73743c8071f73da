package database_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"math/big"
	"net"
	"net/url"
	"path/filepath"
	"testing"
	"time"
)

// overTLS puts a server in front of the PostgreSQL of rawURL that speaks TLS to
// its clients, and returns its URL.
func overTLS(t *testing.T, rawURL string) string {
	t.Helper()
	return overTLSWith(t, rawURL, certificate(t))
}

func overTLSWith(t *testing.T, rawURL string, shown tls.Certificate) string {
	t.Helper()
	config := &tls.Config{Certificates: []tls.Certificate{shown}}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	u := parse(t, rawURL)
	front(t, listener, u.Host, func(client net.Conn) (net.Conn, error) {
		var request [8]byte // the client asks whether TLS is spoken
		if _, err := io.ReadFull(client, request[:]); err != nil {
			return nil, err
		}
		if _, err := client.Write([]byte("S")); err != nil {
			return nil, err
		}
		return tls.Server(client, config), nil
	})
	u.Host = listener.Addr().String()
	u.RawQuery = "sslmode=require"
	return u.String()
}

// overSocket puts a server on a Unix socket in front of the PostgreSQL of rawURL,
// and returns its URL.
func overSocket(t *testing.T, rawURL string) string {
	t.Helper()
	dir := t.TempDir()
	listener, err := net.Listen("unix", filepath.Join(dir, ".s.PGSQL.5432"))
	if err != nil {
		t.Fatal(err)
	}
	u := parse(t, rawURL)
	front(t, listener, u.Host, func(client net.Conn) (net.Conn, error) { return client, nil })
	u.Host = ""
	u.RawQuery = url.Values{"host": {dir}, "port": {"5432"}}.Encode()
	return u.String()
}

// front carries connections from a listener to address until the test ends.
func front(t *testing.T, listener net.Listener, address string, greet func(net.Conn) (net.Conn, error)) {
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			raw, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer raw.Close()
				client, err := greet(raw)
				if err != nil {
					return
				}
				server, err := net.Dial("tcp", address)
				if err != nil {
					return
				}
				go func() {
					_, _ = io.Copy(client, server)
					_ = client.Close()
				}()
				_, _ = io.Copy(server, client)
				_ = server.Close()
			}()
		}
	}()
}

// certificate makes a certificate for localhost that nobody else has signed.
func certificate(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"localhost"}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func parse(t *testing.T, rawURL string) *url.URL {
	t.Helper()
	u, err := url.Parse(rawURL)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
