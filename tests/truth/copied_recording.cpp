#include "tests/truth/copied_recording.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include <sys/mman.h>

#include "reader/format/event.h"
#include "reader/writer/features/features.h"
#include "reader/writer/recording_writer.h"
#include "reader/writer/records/mmap.h"
#include "tests/truth/stack_copier.h"

namespace perfsift::test {
namespace {

using reader::ByteWriter;

class FileSink : public reader::ByteSink {
 public:
  explicit FileSink(const std::string& path) : out_(path, std::ios::binary | std::ios::trunc) {}
  void write(Bytes bytes) override { out_.write(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes)); }
  void write_at(std::uint64_t offset, Bytes bytes) override {
    const auto end = out_.tellp();
    out_.seekp(static_cast<std::streamoff>(offset));
    write(bytes);
    out_.seekp(std::max(end, out_.tellp()));
  }

 private:
  std::ofstream out_;
};

constexpr std::uint64_t sample_type = reader::sample_bit::ip | reader::sample_bit::tid | reader::sample_bit::time |
                                      reader::sample_bit::regs_user | reader::sample_bit::stack_user;

reader::HeaderContent header_of_copies() {
  reader::EventAttr attr;
  attr.type = reader::event_type::software;
  attr.sample_type = sample_type;
  attr.sample_regs_user = truth::register_mask;
  attr.sample_stack_user = truth::most_copied;
  reader::HeaderContent header;
  header.events.push_back({.attr = reader::encode_event_attr(attr, 128, ByteOrder::native), .ids = {1}});
  reader::Features features;
  features.arch = "aarch64";
  header.features = reader::encode_features(features, ByteOrder::native);
  return header;
}

void write_record(reader::RecordingWriter& writer, Bytes record) { writer.write_records(record); }

// A line of /proc/PID/maps: "5500000000-5500007000 r-xp 00000000 fe:00 10960552    /path".
void write_mapping(reader::RecordingWriter& writer, const std::string& line, std::int32_t pid) {
  std::istringstream in(line);
  reader::Mmap mmap{.pid = pid, .tid = pid, .flags = MAP_PRIVATE};
  std::string permissions, device, inode, path;
  char dash = 0;
  std::uint64_t end = 0;
  in >> std::hex >> mmap.start >> dash >> end >> permissions >> mmap.page_offset >> device >> inode >> std::ws;
  std::getline(in, path);
  if (permissions.size() != 4 || permissions[2] != 'x') return;
  mmap.length = end - mmap.start;
  mmap.protection = PROT_READ | PROT_EXEC;
  if (path.empty()) path = "//anon";
  mmap.path = path;
  write_record(writer, reader::encode_mmap2(mmap, reader::CpuMode::user, {}));
}

// The order is that of perf_output_sample() in the kernel.
void write_sample(reader::RecordingWriter& writer, const truth::CopiedStack& sample, Bytes stack) {
  constexpr std::uint64_t abi_64 = 2;
  ByteWriter payload(ByteOrder::native);
  payload.u64(sample.registers[32]).u32(sample.pid).u32(sample.tid).u64(sample.time);
  payload.u64(abi_64).bytes(std::as_bytes(std::span(sample.registers)));
  payload.u64(stack.size()).bytes(stack).u64(sample.size);
  write_record(writer, reader::encoded_record(reader::RecordType::sample, 2, payload, {}));  // 2: user mode
}

}  // namespace

void write_copied_recording(const std::string& log, const std::string& path) {
  FileSink sink(path);
  reader::RecordingWriter writer(header_of_copies(), {}, sink);
  std::ifstream copies(log, std::ios::binary);
  std::vector<std::byte> stack(truth::most_copied);
  truth::CopiedStack sample;
  bool has_maps = false;
  while (copies.read(reinterpret_cast<char*>(&sample), sizeof sample)) {
    // The last stack may be shorter, and a stack that the end of the program interrupted has no header.
    copies.read(reinterpret_cast<char*>(stack.data()), std::ssize(stack));
    if (sample.magic != truth::copied) continue;
    std::ifstream maps(log + ".maps");
    for (std::string line; !has_maps && std::getline(maps, line);)
      write_mapping(writer, line, static_cast<std::int32_t>(sample.pid));
    has_maps = true;
    write_sample(writer, sample, stack);
  }
  writer.finish();
}

}  // namespace perfsift::test
