package doctor

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"

	"records/config"
	"records/internal/server"
)

// redisTimeout is how long Redis has for each answer, and to be connected to.
const redisTimeout = 2 * time.Second

// redisCounts looks whether the ceilings can be counted in Redis.
func redisCounts(ctx context.Context, c config.Config) (faults []Fault) {
	if c.RateLimit.Store == "memory" {
		return nil
	}
	const why = "The ceilings are counted by each replica alone: a client gets as many requests as there are replicas, times the ceiling."
	options, err := redis.ParseURL(c.RateLimit.Store)
	if err != nil { // what it says may hold the password
		return []Fault{{Check: "redis", What: "ratelimit.store is no URL that the client of Redis understands.", Why: why, Remedy: "Write redis://USER:PASSWORD@HOST:PORT/DB."}}
	}
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout = redisTimeout, redisTimeout, redisTimeout
	options.MaxRetries, options.DialerRetries, options.DisableIdentity = -1, 1, true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	logging.Disable() // the client would write to stderr by itself
	client := redis.NewClient(options)
	defer client.Close()
	if err := client.Ping(ctx).Err(); err != nil {
		return []Fault{{
			Check: "redis", What: fmt.Sprintf("Redis at %s does not answer: %v.", options.Addr, err), Why: why,
			Remedy: "See that it runs and can be reached from here, and that the user and the password in ratelimit.store are right.",
		}}
	}
	if told(ctx, client, "replication", "role") == "slave" {
		faults = append(faults, Fault{
			Check: "redis", What: fmt.Sprintf("Redis at %s is a replica, which takes no writes.", options.Addr), Why: why,
			Remedy: "Name the primary in ratelimit.store.",
		})
	} else if err := server.TryStore(ctx, c.RateLimit.Store); err != nil {
		faults = append(faults, Fault{
			Check: "redis", What: fmt.Sprintf("Redis at %s answers, but does not count: %s.", options.Addr, strings.TrimSuffix(err.Error(), ".")), Why: why,
			Remedy: "Do as it says: make room where its memory is full; let the user in ratelimit.store run EVAL, EVALSHA and SCRIPT LOAD, under these names, and write keys that begin with records:ceiling.",
		})
	}
	if policy := told(ctx, client, "memory", "maxmemory_policy"); policy != "noeviction" && told(ctx, client, "memory", "maxmemory") != "0" && policy != "" {
		faults = append(faults, Fault{
			Check:  "redis",
			What:   fmt.Sprintf("Redis at %s drops keys when its memory is full (maxmemory-policy %s).", options.Addr, policy),
			Why:    "A count that is dropped begins again at none: the ceilings let more through than they say.",
			Remedy: "Set maxmemory-policy to noeviction, or give the ceilings a Redis of their own: their keys end by themselves within a minute.",
		})
	}
	return faults
}

// told returns a value of what Redis tells of itself, "" if it does not.
func told(ctx context.Context, client *redis.Client, section, name string) string {
	text, err := client.Info(ctx, section).Result()
	if err != nil {
		return ""
	}
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
