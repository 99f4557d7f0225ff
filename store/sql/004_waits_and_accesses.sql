-- Waits and memory accesses, which are no samples: they have other sums. They belong to loads as samples do.

-- Intervals in which threads were off their CPUs, in the buckets of a histogram: 0 to 7 are buckets of one nanosecond, and
-- then there are 8 for each power of two (base/histogram_bucket.h).
CREATE TABLE IF NOT EXISTS waits
(
    service LowCardinality(String),
    time    DateTime('UTC') CODEC(Delta, ZSTD),  -- the beginning of the ten seconds in which they ended
    stack   UInt128 CODEC(ZSTD),        -- on which the thread left its CPU
    thread  LowCardinality(String),     -- its name then
    cgroup  LowCardinality(String),
    wait    LowCardinality(String),     -- the kinds of wait, the most specific first: lock futex; empty: not known
    state   LowCardinality(String),     -- of the thread when it left: preempted, sleeping, uninterruptible
    cut     LowCardinality(String),     -- what of them was not recorded: start, end, both, lost; empty: nothing
    woken   Bool,                       -- the wakeup was seen, so blocked and run_queue are known separately
    blocked_bucket   UInt32 CODEC(T64, ZSTD),
    run_queue_bucket UInt32 CODEC(T64, ZSTD),
    load    UInt64 CODEC(Delta, ZSTD),
    intervals UInt64 CODEC(T64, ZSTD),  -- how many
    blocked   UInt64 CODEC(T64, ZSTD),  -- this and the next are sums of nanoseconds, which add up to their lengths
    run_queue UInt64 CODEC(T64, ZSTD),
    unknown   UInt64 CODEC(T64, ZSTD),  -- switches were not recorded: the thread waited or ran
    longest   UInt64 CODEC(T64, ZSTD)   -- the length of the longest, in nanoseconds
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(time)
ORDER BY (service, toStartOfHour(time), stack, time, load)
SETTINGS non_replicated_deduplication_window = 1000;
