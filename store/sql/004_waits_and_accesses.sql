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

-- Memory accesses, by all that mem tells of them without their addresses. Words are those of its keys.
CREATE TABLE IF NOT EXISTS accesses
(
    service   LowCardinality(String),
    event     LowCardinality(String),
    time      DateTime('UTC') CODEC(Delta, ZSTD),  -- the beginning of ten seconds
    stack     UInt128 CODEC(ZSTD),
    thread    LowCardinality(String),   -- its name at that time
    cgroup    LowCardinality(String),
    operation LowCardinality(String),   -- LOAD, STORE
    level     LowCardinality(String),   -- of memory that served it: L1 hit, RAM hit
    snoop     LowCardinality(String),   -- None, HitM
    source    UInt64 CODEC(T64, ZSTD),  -- perf_mem_data_src, which has these three, and TLB, lock and blocked
    symbol    LowCardinality(String),   -- the function, without inlined calls
    dso       LowCardinality(String),
    variable  LowCardinality(String),   -- the data
    dso_daddr LowCardinality(String),
    kind      LowCardinality(String),   -- of memory: stack, heap
    node      LowCardinality(String),   -- own: the data was on the CPU's node of the machine; other; empty: not known
    has_address Bool,
    mapped      Bool,                   -- code and data were in mappings
    latency_bucket UInt32 CODEC(T64, ZSTD),  -- as those of waits; 0: no latency
    load      UInt64 CODEC(Delta, ZSTD),
    accesses  UInt64 CODEC(T64, ZSTD),  -- how many
    weight    UInt64 CODEC(T64, ZSTD)   -- the sum of their latencies; without a latency, 1
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(time)
ORDER BY (service, event, toStartOfHour(time), stack, time, load)
SETTINGS non_replicated_deduplication_window = 1000;
