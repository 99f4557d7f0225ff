-- Roll-ups: the samples of recordings with equal labels, added up into one load, with longer times.
--
--   recordings   load 9   removed, rolled_up   a recording that was rolled up: it is not added again
--       |        load 9   removed, rolled_up   another one
--       |        load 9   bucket 600           the roll-up itself, which counts
--   samples      load 9
--
-- These rows are written by one insert, so a roll-up counts as a whole or not at all.

ALTER TABLE recordings
    ADD COLUMN IF NOT EXISTS rolled_up  Bool,             -- the samples of a removed recording are those of its load
    ADD COLUMN IF NOT EXISTS bucket     UInt32,           -- the seconds of a roll-up's rows of samples; 0: no roll-up
    ADD COLUMN IF NOT EXISTS recordings UInt64 DEFAULT 1  -- that were rolled up
;
