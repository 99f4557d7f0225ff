#!/bin/bash
# Compares a store with the recordings that were added to it: the same command gives the same bytes. Then a store is
# attacked: loads are killed, names and addresses are hostile, files are those of others.
#   store.sh PERFSIFT MODEL_RECORDING FOLDER_OF_NPM
set -u
perfsift=$(realpath "$1")
model_recording=$(realpath "$2")
here=$(dirname "$(realpath "$0")")
testdata=$(realpath "$here/../../testdata")

# shellcheck source=tests/oracle/recordings.sh
source "$here/recordings.sh"
need_libchdb "$3"
in_scratch

sql() { # FOLDER SQL...
  "$here/chdb_sql.py" "$@"
}
store() { "$perfsift" store "$@"; }

# The recordings of simulated hosts: HOST/SERVICE-VERSION.NAME. All kinds of inputs are among them.
symfs=(--symfs "$testdata/symfs" --kallsyms "$testdata/oracle/mixed.kallsyms")
make_hosts() {
  local host version
  "$model_recording" intel 300 model.data model.elf 2>/dev/null
  "$perfsift" fold "${symfs[@]}" "$testdata/demo.data" >demo.folded
  "$perfsift" export --to pprof "${symfs[@]}" -o demo.pb.gz "$testdata/demo.data" 2>/dev/null
  "$perfsift" script "${symfs[@]}" "$testdata/oracle/mixed.data" >mixed.txt 2>/dev/null
  for host in a b c d; do
    for version in 1.1 1.2; do
      mkdir -p "hosts/$host"
      cp "$testdata/demo.data" "hosts/$host/shop-$version.data"
      cp "$testdata/oracle/mixed.data" "hosts/$host/mail-$version.data"
    done
  done
  cp model.data hosts/a/memory-1.data
  cp "$testdata/demo.data" hosts/a/shop-1.3.data
  cp "$testdata/oracle/mixed.data" hosts/b/shop-1.3.data
  mkdir texts
  cp demo.folded texts/text-1.folded
  cp demo.pb.gz texts/text-1.pb.gz
  cp mixed.txt texts/text-1.txt
}

# Options of COMMAND on FILES, and on the store's URL.
compare() { # URL FILE... -- COMMAND [OPTION...]
  local url=$1 files=()
  shift
  while [[ $1 != -- ]]; do files+=("$1"); shift; done
  shift
  "$perfsift" "$@" "${symfs[@]}" "${files[@]}" >expected 2>expected.errors
  local status=$?
  "$perfsift" "$@" "$url" >actual 2>actual.errors
  local other=$?
  if [[ $1 == flame ]]; then  # pictures name their inputs
    sed -i "s|${#files[@]} inputs: |INPUT: |" expected
    sed -i "s|chdb:[^ ]*: |INPUT: |" actual
  fi
  ((status == other)) || bad "status $other instead of $status: $* $url: $(head -n 1 actual.errors)"
  expect_equal "$*: $url"
}

make_hosts
cat >rules <<'END'
# The folders are hosts.
path hosts/(?P<host>[^/]+)/(?P<service>[^/]+)-(?P<version>[0-9.]+)\.data$
path texts/(?P<service>[^/]+)-1\.
END
store add --label-rules rules --label fleet=test "${symfs[@]}" chdb:fleet hosts texts/* >out 2>errors || bad "store add: $(head -n 1 errors)"
[[ $(<out) == "added 22 recordings, "* ]] || bad "store add prints $(<out)"

compare_all() {
  local shop=(hosts/*/shop-1.[12].data) mail=(hosts/*/mail-*.data)
  compare 'chdb:fleet?service=shop&version=1.1&version=1.2' "${shop[@]}" -- fold
  compare 'chdb:fleet?service=shop&version=1.1&version=1.2' "${shop[@]}" -- report
  compare 'chdb:fleet?service=mail' "${mail[@]}" -- fold
  compare 'chdb:fleet?service=mail' "${mail[@]}" -- fold --event '*'
  compare 'chdb:fleet?service=mail' "${mail[@]}" -- fold --weight samples --annotate kernel,jit,inline
  compare 'chdb:fleet?service=mail' "${mail[@]}" -- fold --kernel-only --event '*'
  compare 'chdb:fleet?service=shop&version=1.1' hosts/*/shop-1.1.data -- fold --no-inline
  compare 'chdb:fleet?service=mail' "${mail[@]}" -- fold --user-only --with-cgroup
  compare 'chdb:fleet?service=mail' "${mail[@]}" -- fold --interrupts apart
  compare 'chdb:fleet?service=mail' "${mail[@]}" -- fold --interrupts drop
  compare 'chdb:fleet?service=mail' "${mail[@]}" -- fold --lost-frames
  compare 'chdb:fleet?service=mail' "${mail[@]}" -- report --event '*'
  compare 'chdb:fleet?service=mail' "${mail[@]}" -- report --sort comm,dso,symbol --json
  compare 'chdb:fleet?service=mail' "${mail[@]}" -- report --sort cgroup,event --csv
  compare 'chdb:fleet?service=mail' "${mail[@]}" -- report --callers demo::scramble
  compare 'chdb:fleet?service=mail' "${mail[@]}" -- flame --title x
  compare 'chdb:fleet?service=memory' hosts/a/memory-1.data -- fold --event '*'
  compare 'chdb:fleet?host=a' hosts/a/* -- report --event '*'
}
compare_all

# The current folder may have the configuration of another program.
mkdir elsewhere
echo 'no <xml' | tee elsewhere/config.xml >elsewhere/clickhouse-local.xml
"$perfsift" fold -q 'chdb:fleet?service=shop&host=a' >expected 2>errors || bad "fold: $(head -n 1 errors)"
(cd elsewhere && exec "$perfsift" fold -q 'chdb:../fleet?service=shop&host=a') >actual 2>errors || bad "beside a config.xml: $(head -n 1 errors)"
expect_equal "beside a config.xml"

# The texts of files, of which a command reads one kind at a time.
sum_of() { awk '{sum += $NF} END {print sum}' "$1"; }
for kind in folded pb.gz txt; do
  store add "chdb:kind-$kind" "texts/text-1.$kind" >/dev/null || bad "store add text-1.$kind"
  compare "chdb:kind-$kind" "texts/text-1.$kind" -- fold
  compare "chdb:kind-$kind" "texts/text-1.$kind" -- report --sort symbol
done

# Two sides.
"$perfsift" diff "${symfs[@]}" --before hosts/a/shop-1.1.data --before hosts/b/shop-1.1.data --after hosts/a/shop-1.3.data >expected 2>errors
"$perfsift" diff 'chdb:fleet?service=shop&version=1.1&host=a&host=b' 'chdb:fleet?service=shop&version=1.3&host=a' >actual 2>errors
expect_equal "diff"
"$perfsift" diff "${symfs[@]}" --folded hosts/a/shop-1.1.data hosts/a/shop-1.3.data >expected 2>errors
"$perfsift" diff --folded 'chdb:fleet?service=shop&version=1.1&host=a' 'chdb:fleet?service=shop&version=1.3&host=a' >actual 2>errors
expect_equal "diff --folded"

# The sums of SQL are those of the report.
sql fleet "SELECT sum(samples) FROM samples WHERE service = 'shop' AND load IN (SELECT load FROM recordings FINAL WHERE NOT removed)" >actual
"$perfsift" fold --weight samples --event '*' "${symfs[@]}" hosts/*/shop-*.data 2>/dev/null >all.folded
sum_of all.folded >expected
expect_equal "the sum of SQL"

# Added twice, it counts once, also under another name; with other labels, it is another recording.
store add --label-rules rules --label fleet=test "${symfs[@]}" chdb:fleet hosts texts/* >out 2>&1
[[ $(<out) == "added 0 recordings, 0 samples; 22 already there" ]] || bad "added twice: $(<out)"
compare 'chdb:fleet?service=mail' hosts/*/mail-*.data -- fold
cp hosts/a/shop-1.1.data again.data
store add --label host=a --label service=shop --label version=1.1 --label fleet=test chdb:fleet again.data >out 2>&1
[[ $(<out) == "added 0 recordings, 0 samples; 1 already there" ]] || bad "under another name: $(<out)"

# From and to.
touch -d 2026-03-01T12:00:00Z again.data
store add --label-rules rules "${symfs[@]}" --label service=march chdb:fleet again.data >/dev/null
compare 'chdb:fleet?service=march&from=2026-03-01&to=2026-03-01T12:00:10Z' again.data -- fold
expect_status 0 "$perfsift" fold -q 'chdb:fleet?service=march&to=2026-03-01'
[[ ! -s out ]] || bad "samples before the beginning"
store list --json 'chdb:fleet?to=2026-03-02' | grep -c '"id"' >actual
echo 1 >expected
expect_equal "recordings of a time"

# A killed load counts nothing, and is repeated.
mkdir many
for i in $(seq 40); do
  { cat demo.folded; echo "only_in_$i $i"; } >"many/$i.folded"
done
"$perfsift" fold many/*.folded >many.folded
kills=0
for delay in 0.05 0.12 0.2 0.3 0.4 0.5; do
  rm -rf killed
  setsid "$perfsift" store add -j 2 chdb:killed many/*.folded >/dev/null 2>&1 &
  child=$!
  sleep "$delay"
  if kill -KILL "$child" 2>/dev/null; then kills=$((kills + 1)); fi
  wait "$child" 2>/dev/null
  if [[ -d killed ]] && "$perfsift" fold chdb:killed >partial 2>/dev/null && [[ -s partial ]]; then
    "$perfsift" store check chdb:killed >out 2>errors || bad "killed after $delay s, the store is not whole: $(<out)"
  fi
  store add chdb:killed many/*.folded >out 2>errors || bad "repeated after $delay s: $(<errors)"
  cp many.folded expected
  "$perfsift" fold chdb:killed >actual 2>errors
  expect_equal "killed after $delay s and repeated"
  store check --repair chdb:killed >out || bad "check after $delay s: $(<out)"
done
((kills > 0)) || bad "no load was killed"
# What a load leaves that is killed between its tables: samples of no recording.
sql killed "INSERT INTO samples SELECT service, event, time, stack, thread, cgroup, 1, samples, value FROM samples LIMIT 5"
"$perfsift" fold chdb:killed >actual
expect_equal "rows of a load that broke off"
store check chdb:killed >out || bad "a load that broke off is no damage"
grep -q '^5 rows of loads that broke off' out || bad "check does not tell of the load that broke off: $(<out)"
store check --repair chdb:killed >out
[[ $(<out) == "the store is whole" ]] || bad "--repair: $(<out)"

# What is missing is found.
sql killed "DELETE FROM samples WHERE load = (SELECT max(load) FROM recordings)" "TRUNCATE TABLE functions"
expect_status 1 "$perfsift" store check chdb:killed
grep -q 'remove it and add it again' out || bad "check does not name the recording without samples"
grep -q '^missing: .* functions' out || bad "check does not tell of missing functions"
expect_status 3 "$perfsift" fold chdb:killed

# Hostile names and labels come back as they were; nothing becomes SQL.
hostile=$'a\'b"c\\d\n;--\t{x:String}\xff\xc2\x9b%'
mkdir "$hostile"
printf '%s;f\\x 3\n' "it's \"quoted\" ');DROP TABLE samples;--" >"$hostile/x.folded"
store add --label "$hostile=$hostile" --label empty= chdb:hostile "$hostile/x.folded" >out 2>errors || bad "hostile names: $(<errors)"
encoded=$(printf '%s' "$hostile" | od -An -v -tx1 | tr -d '\n' | tr ' ' '%')
compare "chdb:hostile?$encoded=$encoded" "$hostile/x.folded" -- fold
store list chdb:hostile >out
[[ $(wc -l <out) == 2 ]] && ! grep -qP '[\x00-\x09\x0b-\x1f]' out || bad "list shows control characters"
sql hostile "SELECT hex(labels[unhex('${encoded//%/}')]), hex(path) FROM recordings" >actual
printf '%s\t%s\n' "$(printf '%s' "$hostile" | od -An -v -tx1 | tr -d ' \n' | tr a-f A-F)" \
  "$(printf '%s' "$hostile/x.folded" | od -An -v -tx1 | tr -d ' \n' | tr a-f A-F)" >expected
expect_equal "hostile labels"
for value in "x' OR 1=1 --" "x') OR (1=1" "'; DROP TABLE samples; --" '{host:String}' 'x\' '%00' "%27%29%3BDROP%20TABLE%20samples" '*'; do
  value=${value// /%20}
  for name in host service "x'%3b" event thread cgroup; do
    "$perfsift" fold -q "chdb:fleet?$name=$value" >out 2>errors
    [[ ! -s out ]] || bad "$name=$value gives samples"
    ! grep -qi 'exception\|syntax' errors || bad "$name=$value: $(<errors)"
  done
done
sql fleet 'SELECT count() > 0 FROM samples' >actual
echo 1 >expected
expect_equal "the samples after attacks"

# A store of a later version is refused and stays as it is.
cp -r hostile later
sql later 'INSERT INTO schema_versions (version) VALUES (99)'
sql later 'SELECT count() FROM samples' >expected
for verb in add list show remove check; do
  arguments=("chdb:later")
  [[ $verb != add ]] || arguments+=(demo.folded)
  [[ $verb != remove ]] || arguments=('chdb:later?empty=')
  expect_status 3 "$perfsift" store "$verb" "${arguments[@]}"
  grep -q 'the store has version 99' errors || bad "$verb does not name the version: $(<errors)"
done
expect_status 3 "$perfsift" fold chdb:later
sql later 'SELECT count() FROM samples' >actual
expect_equal "a store of a later version"

# The hosts of a store are the repeats of a check: the judgement is that on a file for each host. In version 2, `slow` takes a
# fifth more on all hosts; version 3 is as version 1.
mkdir repeats
awk 'BEGIN {
  srand(7)
  split("main;parse main;parse;slow main;sort main;send main;send;copy", stacks, " ")
  for (host = 1; host <= 12; ++host) for (version = 1; version <= 3; ++version) {
    file = "repeats/h" host "-" version ".folded"
    for (i = 1; i <= 5; ++i) {
      usual = 2000 * i * (version == 2 && i == 2 ? 1.2 : 1)
      print stacks[i], int(usual + sqrt(usual) * (rand() + rand() + rand() + rand() + rand() + rand() - 3) * 1.4) >file
    }
    close(file)
  }
}'
echo 'path repeats/(?P<host>h[0-9]+)-(?P<version>[0-9])\.folded$' >repeat_rules
store add --label-rules repeat_rules chdb:of_repeats repeats/*.folded >/dev/null || bad "store add repeats"
verdict='del(.baseline.runs, .candidate.runs, .notes)'
for version in 2 3; do
  "$perfsift" check --json --baseline repeats/h*-1.folded --candidate repeats/h*-"$version".folded >files.json 2>errors
  wanted=$?
  "$perfsift" check --json 'chdb:of_repeats?version=1' "chdb:of_repeats?version=$version" >store.json 2>errors
  status=$?
  ((status == wanted && status == (version == 2 ? 1 : 0))) || bad "check of version $version: status $status, of files $wanted: $(<errors)"
  jq "$verdict" files.json >expected && jq "$verdict" store.json >actual
  expect_equal "check of hosts, version $version"
done
"$perfsift" check 'chdb:of_repeats?version=1' 'chdb:of_repeats?version=2' >out 2>&1
grep -q 'slow' out || bad "check does not name the slower function: $(<out)"

# A store of version 1 is brought up to this version.
cp -r kind-folded first
drop=('ALTER TABLE recordings DROP COLUMN rolled_up, DROP COLUMN bucket, DROP COLUMN recordings' 'DROP TABLE waits'
  'DROP TABLE accesses' 'ALTER TABLE quality MODIFY COLUMN place String')
sql first "${drop[@]}" 'DROP TABLE shards' 'TRUNCATE TABLE schema_versions' 'INSERT INTO schema_versions (version) VALUES (1)'
for table in samples events quality; do
  sql first "ALTER TABLE $table RESET SETTING non_replicated_deduplication_window"
done
expect_status 3 "$perfsift" fold chdb:first
grep -q 'perfsift store check brings it up to 5' errors || bad "an earlier version: $(<errors)"
store check chdb:first >out 2>errors || bad "check of an earlier version: $(<errors)"
compare chdb:first texts/text-1.folded -- fold
sql first 'SELECT count() FROM shards' >actual
echo 0 >expected
expect_equal "the table of the second version"
# So is one of version 2, with what is in it.
cp -r fleet second
sql second "${drop[@]}" 'TRUNCATE TABLE schema_versions' 'INSERT INTO schema_versions (version) VALUES (1), (2)'
expect_status 3 "$perfsift" fold chdb:second
store check chdb:second >out 2>errors || bad "check of the second version: $(<errors)"
compare 'chdb:second?service=mail' hosts/*/mail-*.data -- fold
store list --json chdb:second | jq '[.[] | .recordings, .seconds_of_rows] | unique' -c >actual
echo '[1,10]' >expected
expect_equal "recordings of the second version"

# Removed recordings count nothing, and can be added again.
store remove 'chdb:fleet?service=mail&host=a' >out
[[ $(<out) == "removed 2 recordings" ]] || bad "remove: $(<out)"
compare 'chdb:fleet?service=mail' hosts/[bcd]/mail-*.data -- fold
store add --label-rules rules --label fleet=test "${symfs[@]}" chdb:fleet hosts/a/mail-*.data >out 2>&1
[[ $(<out) == "added 2 recordings, "* ]] || bad "added after it was removed: $(<out)"
compare 'chdb:fleet?service=mail' hosts/*/mail-*.data -- fold
store check chdb:fleet >out || bad "check: $(<out)"

# A store to which only short runs add does not grow without end: parts that were merged are removed when they are old.
for n in {1..15}; do store add --label "n=$n" chdb:grown "$testdata/demo.data" >/dev/null || bad "add $n: $(<errors)"; done
folders_of_parts() { find grown/store -mindepth 3 -type d | wc -l; }
before=$(folders_of_parts)
store add --label n=16 chdb:grown "$testdata/demo.data" >/dev/null
(($(folders_of_parts) >= before)) || bad "parts are removed before they are old"
find grown/store -type d -exec touch -d '10 minutes ago' {} +
store add --label n=17 chdb:grown "$testdata/demo.data" >/dev/null
(($(folders_of_parts) < before / 2)) || bad "$(folders_of_parts) folders of parts are left of $before"
store check chdb:grown >out || bad "check after old parts were removed: $(<out)"
[[ $(store list --json chdb:grown | jq length) == 17 ]] || bad "recordings after old parts were removed"

# Mistakes and bad places.
expect_status 2 "$perfsift" store remove chdb:fleet
expect_status 2 "$perfsift" store add chdb:fleet chdb:hostile
expect_status 2 "$perfsift" store add 'chdb:fleet?host=a' demo.folded
expect_status 2 "$perfsift" store list chdb:
expect_status 2 "$perfsift" store list clickhouse://localhost
expect_status 2 "$perfsift" fold --with-pid chdb:fleet
expect_status 2 "$perfsift" fold --addresses chdb:fleet
expect_status 2 "$perfsift" report --sort pid,symbol chdb:fleet
expect_status 2 "$perfsift" report --sort host,symbol "$testdata/demo.data"
grep -q 'only the recordings in a store have a label host' errors || bad "a label of a file: $(<errors)"
expect_status 2 "$perfsift" diff --sort host 'chdb:fleet?host=a' 'chdb:fleet?host=b'
expect_status 0 "$perfsift" explain 'chdb:fleet?service=shop&host=a&host=b&from=5'
grep -q '^service = shop: decided by the store, .* index$' out && grep -q '^host = a or b: decided by the store' out || bad "explain: $(<out)"
expect_status 2 "$perfsift" explain 'chdb:fleet?host'
expect_status 2 "$perfsift" store add chdb:fleet -
expect_status 3 "$perfsift" info chdb:fleet
expect_status 2 "$perfsift" fold --filter 'pid == 1' chdb:fleet
expect_status 3 "$perfsift" fold chdb:nowhere
[[ ! -e nowhere ]] || bad "reading makes a folder"
expect_status 3 "$perfsift" store add chdb:hosts demo.folded
[[ ! -e hosts/data ]] || bad "a folder of something else becomes a store"
expect_status 3 "$perfsift" store add chdb:fleet missing.data
expect_status 3 "$perfsift" store add chdb:/proc/nothing demo.folded
expect_status 3 "$perfsift" fold 'chdb:fleet?host=nobody'
grep -q 'no recording in the store has these labels' errors || bad "an unknown host: $(<errors)"
"$perfsift" store list chdb:fleet >/dev/full 2>errors && bad "a full disk is no error"
ln -s /dev/null link
mkdir linked && ln -s "$scratch/target" linked/perfsift-store
expect_status 3 "$perfsift" store add chdb:linked demo.folded
[[ ! -e target ]] || bad "a link is followed"
PERFSIFT_CHDB='' HOME=$scratch XDG_DATA_HOME='' expect_status 3 "$perfsift" store list chdb:fleet
[[ $(wc -l <errors) == 1 ]] && grep -q 'perfsift store setup gets it' errors || bad "without the library: $(<errors)"
PERFSIFT_CHDB=/nowhere expect_status 3 "$perfsift" store list chdb:fleet

# Another package than the known one is not unpacked.
mkdir fake home
cat >fake/npm <<'END'
#!/bin/sh
while [ "$1" != --pack-destination ]; do shift; done
echo other >"$2/chdb-lib-linux-x64-gnu-26.5.3.tgz"
END
chmod +x fake/npm
PATH=$scratch/fake:$PATH HOME=$scratch/home XDG_DATA_HOME='' expect_status 3 "$perfsift" store setup
grep -q 'is not the one that perfsift knows' errors || bad "another package: $(<errors)"
[[ -z $(find home -type f) ]] || bad "setup leaves $(find home -type f)"

# Two processes take turns.
rm -rf turns
store add chdb:turns many/[1-9].folded >/dev/null 2>errors.1 &
first=$!
store add chdb:turns many/1[0-9].folded >/dev/null 2>errors.2 || bad "the second process: $(<errors.2)"
wait "$first" || bad "the first process: $(<errors.1)"
compare chdb:turns many/[1-9].folded many/1[0-9].folded -- fold

# Memory does not grow with the number of recordings.
peak() { # COMMAND...
  python3 - "$@" <<'END'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
END
}
mkdir crowd
for i in $(seq 300); do { cat demo.folded; echo "x$i 1"; } >"crowd/$i.folded"; done
few=$(peak "$perfsift" store add chdb:few crowd/?.folded crowd/1?.folded)
all=$(peak "$perfsift" store add chdb:all crowd/*.folded)
echo "memory: $few KB for 19 recordings, $all KB for 300"
((all < few + few / 4)) || bad "memory grows: $few KB for 19 recordings, $all KB for 300"

conclude
