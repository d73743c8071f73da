package main

// garbageRoom is how much memory the garbage may take before it is collected, beside
// as much again as is in use, where GOGC says nothing else. What is in use is a few
// megabytes, so that Go by itself collects all the time: some tenth of a request's
// CPU. A higher percentage would give a large program ever more room.
const garbageRoom = 12 << 20 // bytes

// giveRoom returns what makes Go leave garbageRoom: bytes that count as in use, and
// that take no memory because nobody writes to them.
func giveRoom() []byte {
	room := make([]byte, garbageRoom)
	forget(room)
	return room
}
