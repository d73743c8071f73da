package hostile

import "hash/crc32"

// Token is the token of a key of 30 chosen characters, with the checksum that
// belongs to them.
func Token(chosen string) string {
	const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	body, check := "wrk_"+chosen, make([]byte, 6)
	sum := crc32.ChecksumIEEE([]byte(body))
	for i := range check {
		check[5-i] = base62[sum%62]
		sum /= 62
	}
	return body + string(check)
}
