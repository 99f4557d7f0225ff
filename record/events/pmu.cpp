#include "record/events/pmu.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <utility>

#include "base/glob.h"
#include "record/machine/kernel_files.h"

namespace perfsift::record {

namespace {

constexpr unsigned bits_of_word = 64;

bool is_file_name(std::string_view name) {
  return !name.empty() && name.find('/') == std::string_view::npos && name.front() != '.';
}

// Files beside an alias say more of its counts.
bool describes_alias(std::string_view file) {
  return file.ends_with(".unit") || file.ends_with(".scale") || file.ends_with(".per-pkg") ||
         file.ends_with(".snapshot");
}

std::uint64_t& word_of(reader::EventAttr& attr, std::size_t word) {
  const std::array words{&attr.config, &attr.config1, &attr.config2, &attr.config3, &attr.config4};
  return *words[word];
}

// "config1:0-15"
std::optional<PmuFormat> parse_format(std::string_view text) {
  constexpr std::array<std::string_view, 5> words{"config", "config1", "config2", "config3", "config4"};
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto word = std::ranges::find(words, text.substr(0, colon));
  const auto bits = read_ranges(text.substr(colon + 1));
  const auto fits = [](const NumberRange& range) { return range.last < bits_of_word; };
  if (word == words.end() || !bits || bits->empty() || !std::ranges::all_of(*bits, fits)) return std::nullopt;
  const PmuFormat format{.word = static_cast<std::size_t>(word - words.begin()), .bits = *bits};
  return format.width() <= bits_of_word ? std::optional(format) : std::nullopt;
}

std::string_view without_number(std::string_view name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  const bool numbered = end != std::string_view::npos && end + 1 < name.size() && end > 0 && name[end] == '_';
  return numbered ? name.substr(0, end) : name;
}

}  // namespace

unsigned PmuFormat::width() const {
  unsigned width = 0;
  for (const auto [first, last] : bits) width += last - first + 1;
  return width;
}

std::uint64_t PmuFormat::most() const {
  const unsigned all = width();
  return all >= bits_of_word ? std::numeric_limits<std::uint64_t>::max() : (std::uint64_t{1} << all) - 1;
}

void PmuFormat::put(std::uint64_t value, reader::EventAttr& attr) const {
  std::uint64_t& target = word_of(attr, word);
  for (const auto [first, last] : bits) {
    for (unsigned bit = first; bit <= last; ++bit, value >>= 1)
      target = (target & ~(std::uint64_t{1} << bit)) | (value & 1) << bit;
  }
}

std::optional<Pmu> Pmu::open(const std::string& sysfs, const std::string& name) {
  Pmu pmu;
  pmu.folder_ = sysfs + "/bus/event_source/devices/" + name;
  pmu.name_ = name;
  const auto type = read_number(pmu.file("type").value_or(""));
  if (!type || *type > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  pmu.type_ = static_cast<std::uint32_t>(*type);
  const auto cpus = pmu.file("cpus");
  pmu.is_core_ = cpus || name == "cpu";
  pmu.cpus_ = read_number_list(cpus ? *cpus : pmu.file("cpumask").value_or("")).value_or(std::vector<unsigned>());
  return pmu;
}

std::optional<std::string> Pmu::file(std::string_view path) const {
  return read_text(folder_ + "/" + std::string(path));
}

std::optional<PmuFormat> Pmu::format(std::string_view name) const {
  if (!is_file_name(name)) return std::nullopt;
  const auto text = file("format/" + std::string(name));
  return text ? parse_format(*text) : std::nullopt;
}

std::optional<PmuAlias> Pmu::alias(std::string_view name) const {
  if (!is_file_name(name) || describes_alias(name)) return std::nullopt;
  const std::string path = "events/" + std::string(name);
  auto terms = file(path);
  if (!terms) return std::nullopt;
  PmuAlias alias{.terms = std::move(*terms), .unit = file(path + ".unit").value_or("")};
  if (const auto scale = file(path + ".scale")) alias.scale = std::strtod(scale->c_str(), nullptr);
  return alias;
}

std::optional<std::uint64_t> Pmu::capability(std::string_view name) const {
  const auto text = is_file_name(name) ? file("caps/" + std::string(name)) : std::nullopt;
  return text ? read_number(*text) : std::nullopt;
}

std::vector<std::string> Pmu::format_names() const { return names_in(folder_ + "/format"); }

std::vector<std::string> Pmu::alias_names() const {
  std::vector<std::string> names = names_in(folder_ + "/events");
  std::erase_if(names, describes_alias);
  return names;
}

bool Pmu::answers_to(const std::string& name) const {
  const auto matches = [&](std::string_view candidate) {
    return matches_glob(name, candidate, Brackets::classes) || without_number(candidate) == name;
  };
  for (const std::string_view prefix : {"uncore_", "cpu_"})
    if (name_.starts_with(prefix) && matches(std::string_view(name_).substr(prefix.size()))) return true;
  return matches(name_);
}

std::vector<Pmu> all_pmus(const std::string& sysfs) {
  std::vector<Pmu> pmus;
  for (const std::string& name : names_in(sysfs + "/bus/event_source/devices"))
    if (auto pmu = Pmu::open(sysfs, name)) pmus.push_back(std::move(*pmu));
  std::stable_partition(pmus.begin(), pmus.end(), [](const Pmu& pmu) { return pmu.is_core(); });
  return pmus;
}

}  // namespace perfsift::record
