package server

import (
	"crypto/rand"
	"testing"
	"time"
)

func TestKeysInRedis(t *testing.T) {
	c, _ := testCeilings(t, 5, 5, redisURL(t))
	redis, key, ip, ctx := redisClient(t), rand.Text(), anIP(), t.Context()
	keyKey, ipKey := "records:ceiling:key:"+key, "records:ceiling:ip:"+ceilingKey(ip)

	c.uncountKey(ctx, key) // makes no key, so none without an end
	if n := redis.Exists(ctx, keyKey).Val(); n != 0 {
		t.Error("giving back has made a key")
	}
	c.countKey(ctx, key)
	c.countIP(ctx, ip)
	c.uncountKey(ctx, key)
	c.uncountKey(ctx, key)
	for _, name := range []string{keyKey, ipKey} {
		if left := redis.PTTL(ctx, name).Val(); left <= 0 || left > time.Minute {
			t.Errorf("%s ends in %s", name, left)
		}
	}
	if n := redis.Get(ctx, keyKey).Val(); n != "0" {
		t.Errorf("count %s, want 0", n)
	}
}

// A window whose end got lost is given one again, by a peek too: what it
// refuses would never be counted.
func TestWindowWithoutAnEnd(t *testing.T) {
	c, _ := testCeilings(t, 1, 1, redisURL(t))
	redis, key, ip, ctx := redisClient(t), rand.Text(), anIP(), t.Context()
	keyKey, ipKey := "records:ceiling:key:"+key, "records:ceiling:ip:"+ceilingKey(ip)
	for _, name := range []string{keyKey, ipKey} {
		if err := redis.Set(ctx, name, 1000, 0).Err(); err != nil {
			t.Fatal(err)
		}
	}
	if !c.countKey(ctx, key).reached || !c.peekIP(ctx, ip).reached {
		t.Error("the counts do not hold")
	}
	for _, name := range []string{keyKey, ipKey} {
		if left := redis.PTTL(ctx, name).Val(); left <= 0 || left > time.Minute {
			t.Errorf("%s ends in %s", name, left)
		}
	}
}

// A caller who waits as long as it is told is let in.
func TestResetIsNeverTooEarly(t *testing.T) {
	c, _ := testCeilings(t, 1, 0, redisURL(t))
	redis, ctx := redisClient(t), t.Context()
	for range 20 {
		key := rand.Text()
		c.countKey(ctx, key)
		if err := redis.PExpire(ctx, "records:ceiling:key:"+key, 30*time.Second).Err(); err != nil {
			t.Fatal(err)
		}
		s := c.countKey(ctx, key)
		left := redis.PTTL(ctx, "records:ceiling:key:"+key).Val()
		if s.reset < left-50*time.Millisecond || s.reset > left+1100*time.Millisecond {
			t.Errorf("told %s, in truth %s", s.reset, left)
		}
		time.Sleep(7 * time.Millisecond)
	}
}
