#include "tests/fuzz/input_seeds.h"

#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "analysis/gate/stored_runs.h"
#include "analysis/table/table_builder.h"
#include "output/pprof/pprof.h"
#include "symbolize/search/vdso.h"
#include "tests/fuzz/corpus.h"
#include "tests/support/full_recording.h"

namespace perfsift::test {
namespace {

// The text of perf script in its forms: with callchains, with the frame on the header's line, tracepoints, records,
// comments, source lines, inlined calls. The first byte selects how frames are made.
void add_script_texts(const fs::path& root) {
  const Corpus texts(root, "script_text");
  const std::string_view all[] = {
      "app 7/8 [001] 12.345678:        250 cycles:u: \n\t  401136 work+0x16 (/opt/app)\n\t  401200 main+0x20 "
      "(/opt/app)\n\tffffffff81000100 do_syscall_64 ([kernel.kallsyms])\n\n"
      "app    7 12.345679:          1 cycles:u: \n\t    1000 LazyCompile:~f a.js:1 (/tmp/perf-7.map)\n\n",
      "java 12345 [000] 1.5: cpu-clock: ffffffff81234567 [unknown] ([unknown])\r\n:-1 -1 [002] 2.5: 4000 cycles:ppp: "
      "  7f00 f (inlined)\n",
      "# ========\n# captured on    : Mon\n#\nswapper     0 [003]  3.141592653: sched:sched_switch: prev_comm=a b:c "
      "prev_pid=0 prev_state=R ==> next_comm=d next_pid=9\n\tffffffff81000300 schedule+0x1 ([kernel.kallsyms])\n\n",
      "a b c  7 1.0: PERF_RECORD_MMAP2 7/7: [0x400000(0x1000) @ 0 08:01 12 34]: r-xp /opt/app\n7 1.5: cycles: \n\t 10 "
      "x+0x1 (/opt/a b (deleted))\n  file.c:12\n\t 20 y::z(int, char)#2 ([vdso])\n  main.cpp:7\n\n",
      "comm\n\t 401000 work\n\t 401100 main\n\ncomm 7\n\n\t 1 f\n\n",
      "\xef\xbb\xbf"
      "app;7 1.0:  99999999999999999999 cycles: \n\t ffffffffffffffff [unknown] (//anon)\n\t zz\n",
  };
  for (std::size_t i = 0; i < std::size(all); ++i) {
    for (const char choice : {0, 7, 47})
      texts.add(fmt::format("{}-{}", i, int{choice}), std::string(1, choice).append(all[i]));
  }
}

// The first byte selects the detail of frames.
void add_folded_texts(const fs::path& root) {
  const Corpus texts(root, "folded");
  const std::string_view all[] = {
      "main;work;malloc 12\nmain;work 3\n# comment\n\nmain 0\n",
      "main;a_[k];b_[i];c_[j] 1.5\nmain 2\n;;empty;; 7\n",
      "main;a 10 12\nmain;b 0 7\n",
      "with blank;and\ttab 5\r\nno count\n 9\nx 18446744073709551615\n",
      "x 9223372036854775807\ny 0.0000001\nz 1e3\nmain;f(int, char)#1 -4\n",
      "\xef\xbb\xbf"
      "first;\xff\x01 1",
  };
  for (std::size_t i = 0; i < std::size(all); ++i) {
    for (const char detail : {0, 1})
      texts.add(fmt::format("{}-{}", i, int{detail}), std::string(1, detail).append(all[i]));
  }
}

void add_stores(const fs::path& root) {
  const Corpus stores(root, "store");
  stores.add("url", "fleet?service=shop&host=a&host=b&version=&from=2026-11-28T10:00:00Z&to=1795860000");
  stores.add("escaped", "a%3fb%25?k%3D=%00%ff%27&event=cycles&thread=x&cgroup=/a");
  stores.add("servers", "db-1.example.net:8123,[::1]/fl%65et?service=a%27b&host=%00%0A&host=\xff&thread=&from=0");
  stores.add("rules", "# hosts\npath /(?P<host>[^/]+)/(?P<service>[^/]+)\\.data$\ncgroup pod(?P<pod>[^/]+)\n");
  stores.add("sql", "-- a comment\nSELECT 1;\n\nSELECT 2;\n");
}

void add_budgets(const fs::path& root) {
  const Corpus budgets(root, "budget");
  budgets.add("functions",
              "# of allocations\ntotal(\"malloc\") < 2%  # all\nself('parse') < baseline + 10%\nnever \"page_fault\" "
              "under \"on_packet\"\nself(=~ \"^std::\") <= 3.5%\nself(dso == 'libc.so.6' && sym =~ 'lock') < 3%\n");
  budgets.add("waits",
              "p99.9(offcpu, comm == \"rx-0\") < 100us\nmax(blocked) < 1.5ms\r\nmean(run_queue, tid == 7) < 2s\n");
  budgets.add("quality",
              "lost < 0.1%\ntruncated == 0\nunresolved < 5%\nincomplete < 1%\nthrottled == 0\nsamples > 100\n");
  budgets.add("memory", "remote_hitm(\"OrderBook\") == 0\naccesses(\"a\", mem.op == load) < 10%\nloads < 5\n");
  budgets.add("samples",
              "\xef\xbb\xbfshare(dso == \"libssl.so.3\") < baseline * 1.1\nshare(stack has (sym == 'x')) < 5 %\n");
  budgets.add("wrong",
              "total(malloc < 2%\nself() <\nnever under\np200(offcpu) < 1\nlost < baseline +\nunknown(1) == 2\n");
}

// Stored runs: comments, labels and digest as perfsift check writes them.
void add_stored_runs(const fs::path& root) {
  const Corpus stored(root, "stored_runs");
  analysis::Profile profile;
  analysis::TableBuilder rows;
  analysis::StackList& list = profile.new_list();
  const analysis::EventId event = profile.event("cycles:u");
  const analysis::FrameId frames[] = {profile.frames().intern("main"), profile.frames().intern("work")};
  list.add(event, frames, {.samples = 30, .value = 30'000});
  analysis::StoredRun run{
      .run = {.name = "before.data", .environment = analysis::Environment{}, .quality = analysis::Quality{}},
      .samples = 15};
  run.run.environment->kernel = "6.1.0-28-amd64";
  run.run.environment->compiled["app"] = "GNU C17 12.2.0 -O2";
  run.run.environment->events.push_back({.name = "cycles:u", .every = 999, .is_frequency = true, .stacks = "fp"});
  run.run.quality->unresolved[{.binary = "/opt/app", .reason = symbolize::Missing::stripped}] = 12;
  run.run.quality->incomplete[{.binary = "/opt/app", .reason = analysis::StackTail::no_rules}] = 3;
  const analysis::StoredRun runs[] = {run, run};
  const std::uint32_t context = rows.context({});
  for (std::uint32_t number = 0; number < 2; ++number) {
    rows.append({.amount = {15, 15'000}, .stack = 0, .context = context, .event = event, .run = number});
  }
  const fs::path exported = root / "stored.pb.gz";
  output::OutputFile out(exported);
  const analysis::SampleTable table = std::move(rows).seal();
  output::write_pprof({.profile = profile,
                       .table = table,
                       .events = {event},
                       .comments = analysis::comments_of_runs(runs),
                       .digest = true},
                      {.run = true}, out);
  out.commit();
  stored.add("two-runs", unpacked(exported));
  fs::remove(exported);
  for (const auto& entry : fs::directory_iterator(root / "pprof"))
    stored.add(entry.path().filename(), content_of_file(entry.path()));
}

void add_lists_of_files(const fs::path& root) {
  const Corpus lists(root, "files_from");
  lists.add("some", "a.data\n/tmp/b.data\n\n-\n./c d.data\r\n");
  lists.add("one", "perf.data");
  lists.add("empty", "\n\n");
  lists.add("odd", std::string("a").append(1, '\0').append("b\n/proc/self/exe\n/\n..\n\xff\n"));
}

// Two bytes that select offsets, then the file.
void add_annotated(const fs::path& root) {
  const Corpus annotated(root, "annotate");
  for (const auto& entry : fs::directory_iterator(PERFSIFT_ELF_FILES)) {
    for (const char distance : {1, 13})
      annotated.add(fmt::format("{}-{}", entry.path().filename().string(), int{distance}),
                    std::string({4, distance}).append(content_of_file(entry.path())));
  }
  if (const auto vdso = symbolize::running_vdso())
    annotated.add("vdso", BytesBuilder().u8(0x60).u8(3).bytes(vdso->image()).view());
}

// Answers of a debuginfod server.
void add_answers(const fs::path& root) {
  const Corpus answers(root, "debuginfod");
  const auto add = [&](const std::string& name, std::string_view head, std::string_view body) {
    answers.add(name, std::string("HTTP/1.1 ").append(head).append("\r\n\r\n").append(body));
  };
  for (const auto& entry : fs::directory_iterator(PERFSIFT_ELF_FILES)) {
    const std::string content = content_of_file(entry.path());
    const std::string size = std::to_string(content.size());
    add(entry.path().filename().string(), "200 OK\r\nX-DEBUGINFOD-SIZE: " + size + "\r\nContent-Length: " + size,
        content);
  }
  add("missing", "404 Not Found\r\nContent-Length: 0", "");
  add("cut", "200 OK\r\nContent-Length: 1000000",
      "\x7f"
      "ELF");
  add("chunked", "200 OK\r\nTransfer-Encoding: chunked",
      "4\r\n\x7f"
      "ELF\r\n0\r\n\r\n");
  add("moved", "302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0", "");
  add("large", "200 OK\r\nX-DEBUGINFOD-SIZE: 99999999999999999999\r\nContent-Length: 5", "12345");
}

void add_requests(const fs::path& root) {
  const Corpus http(root, "http"), view(root, "view");
  const auto add = [&](const std::string& name, std::string_view text) {
    for (const char how : {0, 1, 2}) http.add(fmt::format("{}-{}", name, int{how}), std::string(1, how).append(text));
  };
  add("get",
      "GET /token/rows?filter=comm+%3D%3D%20%22a%22&recording=0 HTTP/1.1\r\nHost: localhost:1\r\nOrigin: null\r\n"
      "Sec-Fetch-Site: same-origin\r\n\r\n");
  add("later", "GET /later?x=%zz&y&=&x=2 HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\n\r\n");
  add("head", "HEAD / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  add("post", "POST / HTTP/1.1\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nhello");
  add("chunked", "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
  add("cut", "GET / HTTP/1.1\r\nHost:");
  add("long", "GET /" + std::string(9000, 'a') + " HTTP/1.1\r\nX: " + std::string(9000, 'b') + "\r\n\r\n");
  add("upgrade", "GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
  view.add("page", "\ndata\nfields\n?data\nnowhere\n");
  view.add(
      "rows",
      "data\nrows filter=comm == \"*\"&recording=0\nrows filter=stack has \"x\"\nrows filter=pid == 7&recording=1\n"
      "rows filter=wrong(\nrows recording=9\n!rows filter=every(2)\nwaits filter=blocked > 1us\nwaits filter=wait == "
      "lock\n");
  view.add("explain",
           "explain filter=(pid == 1 || tid in {2, 4..8}) && !(cpu == 0)\nexplain filter=time > 1s&recording=2\n"
           "explain filter=sched:sched_switch.prev_pid == 1\nexplain filter=stack is truncated\n");
  view.add(
      "save",
      "save as=data&recording=0&filter=cpu >= 0\nsave as=svg&recording=0&unit=samples&shape=reversed&palette=binary&"
      "search=a.*&upwards=0\nsave as=pprof&recording=0\nsave as=svg&recording=1&unit=time&search=(\n"
      "save as=data&recording=2\nsave as=x&recording=0\nsave as=svg\n!save as=data&recording=1\n");
}

std::vector<NamedRecording> handed_recordings() {
  return {{"full", full_recording()},
          {"swapped", full_recording(ByteOrder::swapped)},
          {"counters", recording_of_counters()}};
}

void add_handed_samples(const fs::path& root) {
  const Corpus modules(root, "modules");
  for (const auto& [name, recording] : handed_recordings()) {
    for (const std::uint8_t version : {0, 1, 2})
      modules.add(name + std::to_string(version), BytesBuilder().u8(version).bytes(recording.file()).view());
  }
}

}  // namespace

void add_input_seeds(const std::filesystem::path& root) {
  add_script_texts(root);
  add_folded_texts(root);
  add_budgets(root);
  add_stores(root);
  add_stored_runs(root);
  add_lists_of_files(root);
  add_annotated(root);
  add_answers(root);
  add_requests(root);
  add_handed_samples(root);
}

}  // namespace perfsift::test
