package replicas_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Where nginx could not read the list, it is asked again.
func TestReadyAsksNginxAgain(t *testing.T) {
	t.Parallel()
	replica := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer replica.Close()
	folder := t.TempDir()
	reload := filepath.Join(folder, "reload.sh")
	if err := os.WriteFile(reload, []byte("#!/bin/sh\necho once >>"+folder+"/asked\ntest $(wc -l <"+folder+"/asked) -ge 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs("../../docs/proxy/ready.sh")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", script, filepath.Join(folder, "replicas"), strings.TrimPrefix(replica.URL, "http://"))
	cmd.Env = append(os.Environ(), "RELOAD="+reload, "PATH="+filepath.Dir(os.Getenv("TEST_CURL"))+":"+os.Getenv("PATH"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	asked := func() int {
		text, _ := os.ReadFile(filepath.Join(folder, "asked"))
		return strings.Count(string(text), "once")
	}
	for deadline := time.Now().Add(20 * time.Second); asked() < 3; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("asked %d times", asked())
		}
	}
	time.Sleep(time.Second)
	if n := asked(); n != 3 {
		t.Errorf("asked %d times, though the third did", n)
	}
}
