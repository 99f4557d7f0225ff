// A profile of pprof written byte by byte, by the numbers of profile.proto.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace perfsift::test {

// A sample type, such as {"cpu", "nanoseconds"}.
struct PprofType {
  std::string type, unit;
};

// A text, or a number with or without a unit.
struct PprofSampleLabel {
  std::string key, text;
  std::uint64_t number = 0;
  std::string unit;
};

// The bytes of a profile. Each sample is a stack of two functions, "main" and the leaf, and a value for each type.
class PprofBytes {
 public:
  explicit PprofBytes(const std::vector<PprofType>& types) {
    text("");
    for (const PprofType& type : types) types_ += message(1, number(1, text(type.type)) + number(2, text(type.unit)));
    main_ = location("main");
  }

  void add(const std::string& leaf, const std::vector<std::uint64_t>& values,
           const std::vector<PprofSampleLabel>& labels = {}) {
    std::string sample = message(1, varint(location(leaf)) + varint(main_)) + packed(values);
    for (const PprofSampleLabel& label : labels) sample += message(3, encoded(label));
    samples_ += message(2, sample);
  }
  void add_without_stack(const std::vector<std::uint64_t>& values) { samples_ += message(2, packed(values)); }

  // Sets the type of the period, and the period between two samples.
  void set_period(const PprofType& type, std::uint64_t period) {
    types_ += message(11, number(1, text(type.type)) + number(2, text(type.unit))) + number(12, period);
  }

  // The sample type that programs show first.
  void set_default_type(const std::string& type) { types_ += number(14, text(type)); }

  // Sets the start since 1970, and the duration, in nanoseconds.
  void set_time(std::uint64_t time, std::uint64_t duration) { types_ += number(9, time) + number(10, duration); }

  std::string bytes() const { return types_ + samples_ + tables_ + strings_; }

 private:
  static std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
    return bytes + static_cast<char>(value);
  }
  static std::string packed(const std::vector<std::uint64_t>& values) {
    std::string numbers;
    for (const std::uint64_t value : values) numbers += varint(value);
    return message(2, numbers);
  }
  static std::string number(unsigned field, std::uint64_t value) { return varint(field << 3) + varint(value); }
  static std::string message(unsigned field, std::string_view content) {
    return varint(field << 3 | 2) + varint(content.size()) + std::string(content);
  }

  std::string encoded(const PprofSampleLabel& label) {
    const std::string key = number(1, text(label.key));
    if (!label.text.empty()) return key + number(2, text(label.text));
    return key + number(3, label.number) + (label.unit.empty() ? "" : number(4, text(label.unit)));
  }

  std::uint64_t text(const std::string& string) {
    const auto [known, is_new] = texts_.try_emplace(string, texts_.size());
    if (is_new) strings_ += message(6, string);
    return known->second;
  }

  std::uint64_t location(const std::string& function) {
    const auto [known, is_new] = locations_.try_emplace(function, locations_.size() + 1);
    const std::uint64_t id = known->second;
    if (is_new) {
      tables_ += message(5, number(1, id) + number(2, text(function)));
      tables_ += message(4, number(1, id) + message(4, number(1, id)));
    }
    return id;
  }

  std::string types_, samples_, tables_, strings_;
  std::map<std::string, std::uint64_t> texts_, locations_;
  std::uint64_t main_ = 0;
};

}  // namespace perfsift::test
