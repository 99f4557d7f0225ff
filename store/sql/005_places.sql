-- Nearly all rows of quality are about functions whose callers may be missing, a few hundred in each recording and the
-- same ones in most: their names are kept once.

ALTER TABLE quality MODIFY COLUMN place LowCardinality(String);
