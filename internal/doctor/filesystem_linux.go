package doctor

import "syscall"

// networks are the file systems that lie on another machine, by the number that Linux
// gives each (linux/magic.h, and statfs(2)).
var networks = map[uint32]string{
	0x6969: "NFS", 0xFF534D42: "CIFS", 0xFE534D42: "SMB", 0x517B: "SMB",
	0x01021997: "9P", 0x00C36400: "Ceph", 0x5346414F: "AFS", 0x0BD00BD0: "Lustre", 0x01161970: "GFS2",
}

// fileSystem returns which network file system a file is on, "" for a local disk.
func fileSystem(path string) string {
	var s syscall.Statfs_t
	if err := syscall.Statfs(path, &s); err != nil {
		return ""
	}
	return networks[uint32(s.Type)]
}

// roomLeft returns how many bytes the file system of a file still takes; known is
// false where it does not say.
func roomLeft(path string) (bytes uint64, known bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(path, &s); err != nil {
		return 0, false
	}
	return s.Bavail * uint64(s.Bsize), true
}
