#include "reader/mapped_recording.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "base/error.h"
#include "reader/ordered_delivery.h"
#include "reader/record_walk.h"

namespace perfsift::reader {
namespace {

// The size of the pieces that workers take: small enough to share evenly, large enough to be worth taking.
constexpr std::size_t run_size = std::size_t{256} << 10;
// perf reads the files of a directory in turns of this size (READER_MAX_SIZE in tools/perf/util/session.c).
constexpr std::size_t turn_size = std::size_t{2} << 20;

bool is_compressed(RecordType type) { return type == RecordType::compressed || type == RecordType::compressed2; }

}  // namespace

MappedRecording::MappedRecording(std::string path, std::vector<Part> parts, const OpenOptions& options)
    : RecordingBase(std::move(path), options), parts_(std::move(parts)) {
  read_header();
  scan();
  publish_counts();
  use_features();
  build_timeline();
}

void MappedRecording::read_header() {
  const Part& first = parts_.front();
  const Bytes file = first.file.bytes();
  header_ = parse_file_header(file, path_);

  std::uint64_t end = file.size();
  if (!header_.pipe) {
    bool complete = true;
    for (AttrEntry& entry : read_attr_table(file, header_, complete)) add_event(entry.attr, std::move(entry.ids));
    if (!complete) add_damage(first.name, header_.attrs_offset, 0, "the table of events is damaged");
    if (events_.events().empty()) throw InputError(path_ + ": no events in its header: the header is damaged");

    const std::uint64_t data_end = header_.data_offset + header_.data_size;
    if (header_.data_size == 0) {
      add_damage(first.name, header_.data_offset, 0,
                 "the recording was never finished (data size 0): read up to the end of the file, without what perf "
                 "record writes last (build ids, host, command line)");
    } else if (data_end < header_.data_offset || data_end > file.size()) {
      add_damage(first.name, file.size(), data_end - std::min<std::uint64_t>(data_end, file.size()),
                 "the file ends before its records do: it was cut");
    } else {
      end = data_end;
      if (!read_feature_sections(file, header_, features_)) {
        add_damage(first.name, end, file.size() - end, "the table of header features is cut or damaged");
      }
    }
    use_features();
  }
  const std::uint64_t start = std::min<std::uint64_t>(header_.data_offset, end);
  sources_.push_back({.name = first.name, .data = file.subspan(start, end - start), .offset = start});
  for (std::size_t i = 1; i < parts_.size(); ++i) {
    sources_.push_back({.name = parts_[i].name, .data = parts_[i].file.bytes()});
  }
}

// The first pass.
void MappedRecording::scan() {
  const std::size_t budget = sources_.size() > 1 ? turn_size : ~std::size_t{0};
  bool more = true;
  while (more) {
    more = false;
    for (Source& source : sources_) {
      if (source.read == source.data.size()) continue;
      scan_source(source, budget);
      more = true;
    }
  }
  for (const Source& source : sources_) {
    if (source.decompressor == nullptr || source.decompressor->buffer().unread().empty()) continue;
    add_damage(source.name, source.offset + source.data.size(), source.decompressor->buffer().unread().size(),
               "the compressed records end in the middle of one");
  }
}

// Reads about `budget` bytes of the source, at least one record.
void MappedRecording::scan_source(Source& source, std::size_t budget) {
  const Bytes rest = source.data.subspan(source.read);
  const std::size_t read = scan_records(rest, source, budget, true);
  source.read += read;
  if (read >= budget || source.read == source.data.size()) return;

  const std::uint64_t offset = source.offset + source.read;
  source.read += skip_damage(rest.subspan(read), source, offset);
}

// Walks over whole records, cutting runs. Returns how many bytes it took; less than all when something stopped it.
// Compressed records inside compressed ones are nothing that perf writes.
std::size_t MappedRecording::scan_records(Bytes bytes, Source& source, std::size_t budget, bool compressed_allowed) {
  RecordWalk walk(bytes, header_.order, position_);
  Run run{.bytes = {}, .position = position_, .delivered = delivered_};
  const std::byte* run_start = walk.at();
  const auto close_run = [&](const std::byte* end) {
    run.bytes = {run_start, end};
    if (!run.bytes.empty()) runs_.push_back(run);
    run_start = walk.at();
    run.position = position_;
    run.delivered = delivered_;
  };

  Record record;
  while (static_cast<std::size_t>(walk.at() - bytes.data()) < budget) {
    const std::byte* at = walk.at();
    if (!walk.next(record)) break;
    position_ = walk.position();
    if (record.header.type == RecordType::sample) {
      newest_time_ = std::max(newest_time_, take_sample(record));
    } else {
      scan_record(record);
    }
    if (is_compressed(record.header.type) && compressed_allowed) {
      close_run(at);
      expand(record, source);
      walk = RecordWalk(walk.rest(), header_.order, position_);
      run.position = position_;
      run.delivered = delivered_;
    } else if (run.delivered != delivered_ || static_cast<std::size_t>(walk.at() - run_start) >= run_size) {
      close_run(walk.at());
    }
  }
  close_run(walk.at());
  return static_cast<std::size_t>(walk.at() - bytes.data());
}

void MappedRecording::expand(const Record& record, Source& source) {
  if (source.decompressor == nullptr) {
    source.decompressor = std::make_unique<RecordDecompressor>(std::make_unique<LastingBuffer>());
  }
  const std::uint64_t offset = source.offset + static_cast<std::uint64_t>(record.payload.data() - source.data.data());
  if (!source.decompressor->expand(record, expansion_limit())) {
    add_damage(source.name, offset, record.payload.size(), "a COMPRESSED record could not be expanded");
  }
  RecordBuffer& buffer = source.decompressor->buffer();
  while (true) {
    const Bytes unread = buffer.unread();
    const std::size_t taken = scan_records(unread, source, unread.size(), false);
    buffer.consume(taken);
    const Bytes rest = buffer.unread();
    const bool corrupt = rest.size() >= record_header_size &&
                         extent_of(decode_record_header(rest.data(), header_.order), rest, header_.order).state ==
                             RecordExtent::State::corrupt;
    if (!corrupt) return;
    buffer.consume(skip_damage(rest, source, offset));
  }
}

// Something that is no record, or not a whole one. Returns how many bytes to leave out.
std::size_t MappedRecording::skip_damage(Bytes rest, const Source& source, std::uint64_t offset) {
  const std::size_t skip = find_next_record(rest, header_.order);
  position_ += skip;
  add_damage(source.name, offset, skip,
             skip == rest.size() ? "the last record is not whole" : "not a record: skipped to where records go on");
  return skip;
}

void MappedRecording::scan_record(const Record& record) {
  take(record);
  if (record.header.type == RecordType::finished_round) {
    delivered_ = std::max(delivered_, next_limit_);
    next_limit_ = newest_time_;
  }
  if (static_cast<std::uint32_t>(record.header.type) >= first_user_record) return;
  const SampleId id = events_.identify(record);
  if (id.time != no_time) newest_time_ = std::max(newest_time_, id.time);
  side_band_.push_back({.moment = moment_of(id.time, record.position, delivered_), .id = id, .record = record});
}

Moment MappedRecording::moment_of(std::uint64_t time, std::uint64_t position, std::uint64_t delivered) const {
  // Without times on side-band records, the order of the file is the only one there is (perf falls back to it too).
  const bool timed = events_.ordered() && time != 0 && time != no_time;
  return {timed ? time : delivered, position};
}

void MappedRecording::build_timeline() {
  std::ranges::stable_sort(side_band_, {}, &SideBand::moment);
  for (const SideBand& item : side_band_) {
    if (!timeline_.apply(item.record, item.moment, item.id)) ++stats_.malformed[item.record.header.type];
  }
  side_band_ = {};
}

namespace {

// The first exception of any worker, to be thrown again by the thread that waits for them.
class FirstException {
 public:
  template <typename Work>
  void guard(Work&& work) {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!first_) first_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr first_;
};

}  // namespace

void MappedRecording::visit_parallel(unsigned threads,
                                     const std::function<std::unique_ptr<SampleVisitor>(unsigned worker)>& make) {
  if (events_.reads_counters()) {  // each sample needs the one before
    const auto visitor = make(0);
    InOrder in_order(*visitor);
    visit_in_order(in_order);
    return visitor->finish();
  }
  const unsigned workers = std::clamp<unsigned>(threads, 1, static_cast<unsigned>(runs_.size() + 1));
  std::atomic<std::size_t> next_run = 0;
  std::vector<DeliveryCounts> counts(workers);
  FirstException failed;
  const auto work = [&](unsigned worker) {
    failed.guard([&] {
      const auto visitor = make(worker);
      SampleDelivery delivery(events_, deferred_);
      Record record;
      for (std::size_t i = next_run++; i < runs_.size(); i = next_run++) {
        const Run& run = runs_[i];
        RecordWalk walk(run.bytes, header_.order, run.position);
        while (walk.next(record)) {
          if (record.header.type != RecordType::sample) continue;
          const Moment moment = moment_of(events_.sample_time(record), record.position, run.delivered);
          delivery.deliver(record, moment, *visitor);
        }
      }
      counts[worker] = delivery.counts();
      visitor->finish();
    });
  };
  {
    std::vector<std::jthread> others;
    for (unsigned worker = 1; worker < workers; ++worker) others.emplace_back(work, worker);
    work(0);
  }
  failed.rethrow();
  for (const DeliveryCounts& c : counts) add_delivery_counts(c);
}

void MappedRecording::visit_in_order(OrderedVisitor& visitor) {
  OrderedDelivery delivery(events_, deferred_, visitor, {});
  Record record;
  for (const Run& run : runs_) {
    RecordWalk walk(run.bytes, header_.order, run.position);
    while (walk.next(record)) delivery.take(record);
  }
  delivery.finish();
  stats_.out_of_order = delivery.out_of_order();
  add_delivery_counts(delivery.counts());
}

}  // namespace perfsift::reader
