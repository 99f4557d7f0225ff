-- The profiles of a fleet: what ran, on which hosts, when, and how much it cost.
--
--   recordings   load   labels, time              one row for each recording that counts
--       |         |
--   samples      load   event, time, thread   stack   samples, value
--                                               |
--   stacks                                     id   frames
--                                                     |
--   functions                                        id   name, binary, file, line
--
-- Functions and stacks have the hash of their contents as their id, so a second copy is the same row. Samples belong to
-- a load: one attempt to add one recording. The last step of a load is its row in recordings. Only the samples of loads
-- that recordings names count, so a load that broke off counts nothing and can be repeated, and a recording that was
-- added twice counts once.
--
-- A statement ends with a semicolon at the end of a line. Each can be repeated, as a migration may break off.

CREATE TABLE IF NOT EXISTS functions
(
    id      UInt128,                    -- SipHash-2-4 of all other columns
    name    String,
    kind    LowCardinality(String),     -- user, kernel, jit; other: no code, such as [truncated]
    inlined Bool,                       -- a call that the compiler inlined into the next outer function
    unnamed Bool,                       -- the address has no name: the name is that of the binary
    marks   LowCardinality(String),     -- what folded text writes behind the name: _[k]
    binary  LowCardinality(String),     -- the path, as recorded
    build_id LowCardinality(String),    -- hexadecimal
    file    LowCardinality(String),     -- where the function begins in the source
    line    UInt32
)
ENGINE = ReplacingMergeTree
ORDER BY id;

CREATE TABLE IF NOT EXISTS stacks
(
    id     UInt128,                     -- SipHash-2-4 of frames
    frames Array(UInt128)               -- functions, root first, without the thread
)
ENGINE = ReplacingMergeTree
ORDER BY id;

CREATE TABLE IF NOT EXISTS samples
(
    service LowCardinality(String),     -- the label of the recording, which nearly every question has
    event   LowCardinality(String),
    time    DateTime('UTC') CODEC(Delta, ZSTD),  -- the beginning of ten seconds
    stack   UInt128 CODEC(ZSTD),
    thread  LowCardinality(String),     -- its name at that time
    cgroup  LowCardinality(String),
    load    UInt64 CODEC(Delta, ZSTD),
    samples UInt64 CODEC(T64, ZSTD),    -- how many
    value   UInt64 CODEC(T64, ZSTD)     -- the sum of their periods: nanoseconds, cycles, bytes
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(time)
ORDER BY (service, event, toStartOfHour(time), stack, time, load);

-- The newest load of an id counts. A removed recording has a newest row without samples.
CREATE TABLE IF NOT EXISTS recordings
(
    id       UInt128,                   -- of the contents of the file, and of the labels
    load     UInt64,                    -- later loads have larger numbers
    removed  Bool,
    labels   Map(LowCardinality(String), String),
    path     String,
    began    DateTime64(9, 'UTC'),
    duration UInt64,                    -- nanoseconds
    added    DateTime('UTC'),
    samples  UInt64                     -- the sum of the samples of the load
)
ENGINE = ReplacingMergeTree(load)
ORDER BY id;

-- The events of a load, in the order of its recording.
CREATE TABLE IF NOT EXISTS events
(
    load  UInt64,
    place UInt32,
    event LowCardinality(String),
    unit  LowCardinality(String),       -- of values; empty: they count the event
    count_type LowCardinality(String),  -- the names of both sample types in profiles of pprof, where they are not the usual ones
    value_type LowCardinality(String)
)
ENGINE = MergeTree
ORDER BY (load, place);

-- What a recording lost, cut or could not name. The facts of several recordings add up.
CREATE TABLE IF NOT EXISTS quality
(
    load   UInt64,
    fact   LowCardinality(String),      -- lost_samples, frames, incomplete, unresolved
    reason LowCardinality(String),      -- of incomplete and unresolved
    place  String,                      -- of these: the binary
    count  UInt64
)
ENGINE = MergeTree
ORDER BY (load, fact);
