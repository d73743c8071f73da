package server

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"
	"github.com/ulule/limiter/v3"
	redisstore "github.com/ulule/limiter/v3/drivers/store/redis"
)

const (
	// redisPrefix and a colon begin every key that we write into Redis.
	redisPrefix = "records:ceiling"
	// redisStep bounds each of: connecting, reading, writing.
	redisStep = 250 * time.Millisecond
	// redisTimeout bounds one question, all its steps together.
	redisTimeout = 500 * time.Millisecond
)

// uncountScript takes one off a count above 0, and keeps the end of its
// window. It never makes a key: one made by DECR would have no end. From 0, the
// next request begins a new window, as the limiter does whenever a count is 1.
var uncountScript = redis.NewScript(`
local n = redis.call("get", KEYS[1])
if n and tonumber(n) > 0 then
	redis.call("decr", KEYS[1])
end
return 0`)

// mendScript gives a window an end within ARGV[1] milliseconds, where it has
// none or a later one. The limiter gives a window its end when it begins it;
// one that lost it, by hand or in a restore, would refuse its caller for ever.
var mendScript = redis.NewScript(`
local left = redis.call("pttl", KEYS[1])
if left == -1 or left > tonumber(ARGV[1]) then
	redis.call("pexpire", KEYS[1], ARGV[1])
end
return 0`)

// redisCounter counts in Redis, in the limiter's store, which all replicas share.
type redisCounter struct {
	client *redis.Client
	store  atomic.Pointer[limiter.Store] // nil until Redis has answered once
}

// newRedisCounter reads a URL, redis://… or rediss://…, and does not connect.
// Its error shows nothing of the URL, which may hold a password. Pool sizes and
// the like may be set in the query; the time limits and retries are ours.
func newRedisCounter(url string) (*redisCounter, error) {
	options, err := redis.ParseURL(url)
	if err != nil {
		return nil, errors.New("ratelimit.store: not a URL of a Redis, or with options that the client does not know")
	}
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout = redisStep, redisStep, redisStep
	options.PoolTimeout = redisStep
	options.ContextTimeoutEnabled = true
	options.MaxRetries, options.DialerRetries = -1, 1 // the breaker tries again; -1 is none, and a count must not be sent twice
	options.PipelinePoolSize, options.DisableIdentity = -1, true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}

	// The client logs each failure to stderr by itself, for the whole process,
	// in its own format. What matters of that, the breaker logs once.
	logging.Disable()
	return &redisCounter{client: redis.NewClient(options)}, nil
}

// TryStore asks the Redis at url once all that the ceilings ask of it, on a key of its
// own that ends within a second, and returns what it says to that.
func TryStore(ctx context.Context, url string) error {
	r, err := newRedisCounter(url)
	if err != nil {
		return err
	}
	defer r.client.Close()
	const id = "doctor"
	rate := limiter.Rate{Period: time.Second, Limit: 1}
	if _, err := r.peek(ctx, id, rate); err != nil {
		return err
	}
	if _, err := r.count(ctx, id, rate); err != nil {
		return err
	}
	return r.uncount(ctx, id, rate)
}

// connected is the limiter's store. To make one takes a Redis that answers, so
// it is made when first needed; the time that takes is bounded by redisStep.
func (r *redisCounter) connected() (limiter.Store, error) {
	if store := r.store.Load(); store != nil {
		return *store, nil
	}
	store, err := redisstore.NewStoreWithOptions(r.client, limiter.StoreOptions{Prefix: redisPrefix})
	if err != nil {
		return nil, err
	}
	r.store.Store(&store)
	return store, nil
}

func (r *redisCounter) peek(ctx context.Context, id string, rate limiter.Rate) (tally, error) {
	return r.ask(ctx, id, rate, limiter.Store.Peek)
}

func (r *redisCounter) count(ctx context.Context, id string, rate limiter.Rate) (tally, error) {
	return r.ask(ctx, id, rate, limiter.Store.Get)
}

func (r *redisCounter) uncount(ctx context.Context, id string, _ limiter.Rate) error {
	ctx, cancel := redisContext(ctx)
	defer cancel()
	return uncountScript.Run(ctx, r.client, redisKey(id)).Err()
}

// ask puts one question to the limiter's store. It reports the end of a window
// as a whole second, rounded down: a caller who comes back then is too early,
// so one second is added, within the period.
func (r *redisCounter) ask(ctx context.Context, id string, rate limiter.Rate,
	question func(limiter.Store, context.Context, string, limiter.Rate) (limiter.Context, error),
) (tally, error) {
	store, err := r.connected()
	if err != nil {
		return tally{}, err
	}
	ctx, cancel := redisContext(ctx)
	defer cancel()
	answer, err := question(store, ctx, id, rate)
	if err != nil {
		return tally{}, err
	}
	t := newTally(rate.Limit-answer.Remaining, time.Until(time.Unix(answer.Reset+1, 0)), rate)
	t.over = answer.Reached
	if t.remaining == 0 && t.reset == rate.Period { // new, or without an end: the store tells the two alike
		err = mendScript.Run(ctx, r.client, redisKey(id), rate.Period.Milliseconds()).Err()
	}
	return t, err
}

// redisContext bounds a question. A client that goes away does not cut it
// short: its request was made, and Redis is not to blame.
func redisContext(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), redisTimeout)
}

// redisKey is the key that the limiter's store gives an id, for our own scripts.
func redisKey(id string) []string { return []string{redisPrefix + ":" + id} }
