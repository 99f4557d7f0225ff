-- Stores of several servers, and inserts that are repeated after a connection broke.

-- The place of this server among the shards of the store. A store without a row is whole on one.
CREATE TABLE IF NOT EXISTS shards
(
    shard  UInt32,                      -- beginning with 0
    shards UInt32                       -- how many there are
)
ENGINE = MergeTree
ORDER BY shard;

-- A repeated insert has the token of the first one, which the server remembers. Rows of the other tables replace rows with
-- the same id.
ALTER TABLE samples MODIFY SETTING non_replicated_deduplication_window = 1000;
ALTER TABLE events MODIFY SETTING non_replicated_deduplication_window = 1000;
ALTER TABLE quality MODIFY SETTING non_replicated_deduplication_window = 1000;
