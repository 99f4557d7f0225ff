// tracepoint_samples EVENTS SEED OUTPUT: writes a recording with made-up samples of every tracepoint that the kernel
// describes below EVENTS (/sys/kernel/tracing/events), three of each.
//
// The formats of ftrace's own events are left out, because perf never records these events. Texts of several lines are
// also left out.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "reader/tracepoint.h"
#include "tests/support/recording_builder.h"

namespace perfsift::test {
namespace {

namespace fs = std::filesystem;
using reader::TracepointField;
using reader::TracepointFormat;

constexpr int samples_of_each = 3;

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool has_lines(const std::string& format) {
  const auto print = format.substr(std::min(format.find("print fmt:"), format.size()));
  return print.find('\n') + 1 < print.size() || print.find("\\n") != std::string::npos;
}

std::map<std::string, std::vector<std::string>> formats_below(const fs::path& events) {
  std::map<std::string, std::vector<std::string>> systems;
  for (const auto& file : fs::recursive_directory_iterator(events)) {
    if (file.path().filename() != "format") continue;
    const fs::path event = file.path().parent_path();
    const std::string system = event.parent_path().filename();
    const std::string format = content(file.path());
    if (system != "ftrace" && !has_lines(format)) systems[system].push_back(format);
  }
  return systems;
}

BytesBuilder tracing_data(const fs::path& events) {
  BytesBuilder out;
  out.text("\x17\x08\x44tracing0.6")
      .u8(0)
      .u8(std::endian::native == std::endian::big ? 1 : 0)
      .u8(sizeof(long))
      .u32(4096);
  for (const std::string name : {"header_page", "header_event"}) {
    const auto text = content(events / name);
    out.text(name).u8(0).u64(text.size()).text(text);
  }
  const auto systems = formats_below(events);
  out.u32(0).u32(static_cast<std::uint32_t>(systems.size()));
  for (const auto& [system, formats] : systems) {
    out.text(system).u8(0).u32(static_cast<std::uint32_t>(formats.size()));
    for (const auto& format : formats) out.u64(format.size()).text(format);
  }
  const auto texts = content(events.parent_path() / "printk_formats");
  return out.u32(0).u32(static_cast<std::uint32_t>(texts.size())).text(texts).u64(0);
}

// Makes raw data: numbers of all sizes, texts of letters, and dynamic fields that point behind the other fields.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}

  std::vector<std::byte> raw(const TracepointFormat& format) {
    std::size_t size = 8;
    for (const TracepointField& field : format.fields) size = std::max(size, field.offset + field.size);
    std::vector<std::byte> bytes(size);
    for (const TracepointField& field : format.fields) write(field, format.id, bytes);
    bytes.resize((bytes.size() + 4 + 7) / 8 * 8 - 4);  // with its size before it, a multiple of 8
    return bytes;
  }
  std::uint64_t below(std::uint64_t limit) { return engine_() % limit; }

 private:
  void write(const TracepointField& field, std::int32_t id, std::vector<std::byte>& bytes) {
    if (field.name == "common_type") return put(static_cast<std::uint64_t>(id), field.offset, field.size, bytes);
    if (field.is_common) return put(below(100), field.offset, field.size, bytes);
    // Lengths of arrays are small, because perf trusts any length, and crashes.
    if (field.name.ends_with("len")) return put(below(5), field.offset, field.size, bytes);
    const bool text = field.type.find("char") != std::string::npos;
    if (field.is_dynamic) {
      const auto part = text ? letters(1 + below(12)) : numbers(8 * (1 + below(4)), 8);
      const std::size_t base = field.is_relative ? field.offset + field.size : 0;
      put(part.size() << 16 | (bytes.size() - base), field.offset, field.size, bytes);
      bytes.insert(bytes.end(), part.begin(), part.end());
      return;
    }
    const auto element = field.is_array && field.element_size != 0 ? field.element_size : field.size;
    const auto part = field.is_array && text ? letters(field.size) : numbers(field.size, element);
    std::ranges::copy(part, bytes.begin() + static_cast<std::ptrdiff_t>(field.offset));
  }

  std::vector<std::byte> letters(std::size_t size) {
    std::vector<std::byte> text(size);
    const std::size_t length = size == 0 ? 0 : below(std::min<std::size_t>(size, 14));
    for (std::size_t i = 0; i < length; ++i) text[i] = static_cast<std::byte>('a' + below(26));
    return text;
  }

  std::vector<std::byte> numbers(std::size_t size, std::size_t element) {
    std::vector<std::byte> bytes(size);
    for (std::size_t at = 0; at < size; at += std::max<std::size_t>(element, 1))
      put(number(), at, std::min(element, size - at), bytes);
    return bytes;
  }

  std::uint64_t number() {
    switch (below(6)) {
      case 0:
        return below(2);
      case 1:
        return below(16);
      case 2:
        return 0 - below(200);
      case 3:
        return std::uint64_t{1} << below(64);
      default:
        return engine_() >> below(64);
    }
  }

  static void put(std::uint64_t value, std::size_t at, std::size_t size, std::vector<std::byte>& bytes) {
    for (std::size_t i = 0; i < size && i < sizeof value; ++i) {
      const std::size_t byte = std::endian::native == std::endian::big ? size - 1 - i : i;
      bytes[at + byte] = static_cast<std::byte>(value >> (8 * i));
    }
  }

  std::mt19937_64 engine_;
};

// Samples of {id, ip, pid and tid, time, cpu, raw data}.
void write_recording(const fs::path& events, std::uint64_t seed, const std::string& output) {
  constexpr std::uint64_t sample_type = 1U << 16 | 1U << 0 | 1U << 1 | 1U << 2 | 1U << 7 | 1U << 10;
  const auto data = tracing_data(events);
  const auto formats = reader::TracepointFormats::parse(data.view());
  if (!formats || formats->all().empty()) throw std::runtime_error(events.string() + ": no tracepoints");
  RecordingBuilder recording;
  Dice dice(seed);
  std::uint64_t id = 0;
  for (const TracepointFormat& format : formats->all()) {
    recording.event({.type = reader::event_type::tracepoint,
                     .config = static_cast<std::uint64_t>(format.id),
                     .sample_period = 1,
                     .sample_type = sample_type,
                     .flags = sample_id_all,
                     .size = 128},  // the largest size that perf 6.1 reads
                    {++id});
    for (int i = 0; i < samples_of_each; ++i) {
      const auto raw = dice.raw(format);
      auto sample = recording.bytes();
      sample.u64(id).u64(0).u32(7).u32(7).u64(1000 * id + static_cast<std::uint64_t>(i)).u32(0).u32(0);
      sample.u32(static_cast<std::uint32_t>(raw.size())).bytes(raw);
      recording.record(reader::RecordType::sample, sample, kernel_mode);
    }
  }
  recording.feature(reader::Feature::tracing_data, data);
  const auto file = recording.file();
  std::ofstream(output, std::ios::binary)
      .write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
}

}  // namespace
}  // namespace perfsift::test

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: tracepoint_samples EVENTS SEED OUTPUT\n";
    return 2;
  }
  try {
    perfsift::test::write_recording(argv[1], std::stoull(argv[2]), argv[3]);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
