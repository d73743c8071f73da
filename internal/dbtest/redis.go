package dbtest

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	// redisDatabases is how many a Redis has unless told otherwise. The first keeps
	// the claims on the others.
	redisDatabases = 16
	// redisClaim outlasts any test; that of a process which died falls after it.
	redisClaim = 10 * time.Minute
	// redisWait is how long a test waits for another one to finish with a database.
	redisWait = time.Minute
)

// Redis returns the URL of a Redis database of the test's own, which is empty.
func Redis(t testing.TB) string {
	t.Helper()
	server := os.Getenv("TEST_REDIS_URL")
	if server == "" {
		t.Fatal("TEST_REDIS_URL is not set: run make test")
	}
	options, err := redis.ParseURL(server)
	if err != nil {
		t.Fatal("TEST_REDIS_URL is not the URL of a Redis")
	}
	options.DB = 0
	claims := redis.NewClient(options)
	t.Cleanup(func() { _ = claims.Close() })
	ctx, cancel := context.WithTimeout(context.Background(), redisWait)
	defer cancel()
	number, err := claimRedis(ctx, t, claims)
	if err != nil {
		t.Fatalf("find a free database at TEST_REDIS_URL: %v", err)
	}
	if err := flush(ctx, *options, number); err != nil {
		t.Fatal(err)
	}
	return withPath(t, server, fmt.Sprint(number))
}

// claimRedis takes the first free database for as long as the test lasts.
func claimRedis(ctx context.Context, t testing.TB, claims *redis.Client) (int, error) {
	for {
		for number := 1; number < redisDatabases; number++ {
			key := fmt.Sprintf("records_test_claim_%d", number)
			err := claims.SetArgs(ctx, key, os.Getpid(), redis.SetArgs{Mode: "NX", TTL: redisClaim}).Err()
			if err == nil {
				t.Cleanup(func() { claims.Del(context.Background(), key) })
				return number, nil
			}
			if err != redis.Nil {
				return 0, err
			}
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

// flush empties a database.
func flush(ctx context.Context, options redis.Options, number int) error {
	options.DB = number
	client := redis.NewClient(&options)
	defer client.Close()
	return client.FlushDB(ctx).Err()
}
