package doctor

import (
	"net"
	"net/netip"
	"strings"
	"testing"
)

func TestJudgeVersion(t *testing.T) {
	t.Parallel()
	for number, faults := range map[int]int{90624: 1, 149999: 1, 150000: 0, 180001: 0} {
		if got := judgeVersion(number); len(got) != faults {
			t.Errorf("%d: %v", number, got)
		}
	}
}

func TestJudgeRoom(t *testing.T) {
	t.Parallel()
	for words, r := range map[string]room{
		"":                         {97, 20, -1, -1},
		"the server lets in 15":    {15, 0, -1, -1},
		"the role may have 3":      {97, 0, 3, -1},
		"the database may have 15": {97, 0, -1, 15},
		"97 connections to the server 90 are in use": {97, 90, -1, -1},
	} {
		got := r.judge(16)
		if words == "" && len(got) > 0 || words != "" && (len(got) != 1 || !strings.Contains(got[0].What, words)) {
			t.Errorf("%+v: %v, want %q", r, got, words)
		}
	}
}

func TestPublicAddress(t *testing.T) {
	t.Parallel()
	_, inside, _ := net.ParseCIDR("10.1.2.3/8")
	outside := &net.IPNet{IP: net.IPv4(203, 0, 113, 7), Mask: net.CIDRMask(24, 32)}
	for host, want := range map[string]bool{
		"127.0.0.1": false, "::1": false, "10.0.0.5": false, "192.168.1.1": false, "100.64.0.1": false, "fd00::1": false, "localhost": false,
		"203.0.113.7": true, "2001:db8::1": true, "": true, "0.0.0.0": true, "::": true,
	} {
		if _, got := publicAddress(host, []net.Addr{inside, outside}); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
	if a, got := publicAddress("", []net.Addr{inside, outside}); a != netip.MustParseAddr("203.0.113.7") || !got {
		t.Error(a)
	}
	if _, got := publicAddress("0.0.0.0", []net.Addr{inside}); got {
		t.Error("a machine of the inside is taken for one of the internet")
	}
}

func TestJudgeRoomLeft(t *testing.T) {
	t.Parallel()
	for left, words := range map[uint64]string{0: "takes 0 MB more", 64<<20 - 1: "takes 63 MB more", 64 << 20: "", 1 << 40: ""} {
		got := judgeRoomLeft("records.db", left)
		if words == "" && len(got) > 0 || words != "" && (len(got) != 1 || !strings.Contains(got[0].What, words)) {
			t.Errorf("%d: %v, want %q", left, got, words)
		}
	}
	if left, known := roomLeft(t.TempDir()); left == 0 && known {
		t.Error("the temporary folder has no room")
	}
	if _, known := roomLeft(t.TempDir() + "/absent"); known {
		t.Error("there is room where there is no file")
	}
}

// What is told of a file system is told by its number; this one is local.
func TestFileSystem(t *testing.T) {
	t.Parallel()
	if kind := fileSystem(t.TempDir()); kind != "" {
		t.Errorf("the temporary folder is on %s", kind)
	}
}
