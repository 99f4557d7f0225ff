#include "tools/completion/option_values.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>

#include "analysis/offcpu/ranking.h"
#include "base/error.h"
#include "filter/field.h"
#include "output/flame/palette.h"
#include "output/script/fields.h"
#include "output/table/key_columns.h"
#include "reader/recording.h"
#include "tools/export/export_format.h"
#include "tools/export/label_list.h"
#include "tools/sort/sort_keys.h"

namespace perfsift::tools {
namespace {

using analysis::RowsOf;

constexpr std::uintmax_t largest_recording = 256 << 20;  // in bytes; the user waits

template <typename Names>
std::vector<Offer> offers_of(const Names& names) {
  std::vector<Offer> offers;
  for (const std::string_view name : names) offers.push_back({std::string(name), ""});
  return offers;
}

std::vector<Offer> format_offers() {
  std::vector<Offer> offers;
  for (const ExportFormat& format : export_formats()) offers.push_back({format.name, format.summary});
  return offers;
}

std::vector<Offer> comparable_key_offers() {
  std::vector<Offer> offers;
  for (const analysis::Key key : analysis::keys_of(RowsOf::samples)) {
    if (is_comparable(key)) offers.push_back({std::string(analysis::name_of(key)), ""});
  }
  return offers;
}

std::vector<Offer> field_offers(filter::Subject subject) {
  std::vector<Offer> offers;
  for (const filter::Field& field : filter::fields(subject))
    offers.push_back({std::string(field.name), std::string(field.help)});
  return offers;
}

std::vector<Offer> level_offers() {
  std::vector<Offer> offers;
  for (const filter::Word& word : filter::find_field("mem.lvl")->words) offers.push_back({std::string(word.name), ""});
  return offers;
}

// Shells insert an offer into the command line, so a name from a recording must not mean anything to a shell.
bool is_harmless(std::string_view name) {
  constexpr std::string_view harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:./,=-";
  return !name.empty() && name.find_first_not_of(harmless) == std::string_view::npos;
}

std::vector<Offer> event_offers(const std::string& recording) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(recording, error);
  if (error || size > largest_recording) return {};
  std::set<std::string> names;
  try {
    const auto opened = reader::Recording::open(recording);
    for (const auto& event : opened->events()) {
      if (is_harmless(event->name)) names.insert(event->name);
    }
  } catch (const Error&) {  // not a recording
  }
  return offers_of(names);
}

// "svg|html", but not "FILE|:PORT".
std::optional<std::vector<Offer>> alternatives(std::string_view value) {
  if (value.find('|') == std::string_view::npos) return std::nullopt;
  std::vector<std::string_view> names;
  for (std::size_t begin = 0; begin <= value.size();) {
    const std::size_t end = std::min(value.find('|', begin), value.size());
    names.push_back(value.substr(begin, end - begin));
    begin = end + 1;
  }
  constexpr std::string_view of_values = "abcdefghijklmnopqrstuvwxyz0123456789.-";
  const bool all_values = std::ranges::all_of(
      names, [&](std::string_view name) { return name.find_first_not_of(of_values) == std::string_view::npos; });
  return all_values ? std::optional(offers_of(names)) : std::nullopt;
}

OptionValues sort_values(const std::string& command) {
  if (command == "offcpu") return {ValueKind::one, offers_of(offcpu::ranking_names())};
  if (command == "diff") return {ValueKind::list, comparable_key_offers()};
  if (command == "mem") return {ValueKind::list, offers_of(output::names_of(analysis::keys_of(RowsOf::accesses)))};
  if (command == "report") return {ValueKind::list, offers_of(output::names_of(analysis::keys_of(RowsOf::samples)))};
  return {};
}

// Options whose values are listed elsewhere.
std::optional<OptionValues> named_values(const std::string& command, const options::OptionFact& option,
                                         const std::string& recording) {
  const std::string& name = option.name;
  if (name == "--sort") return sort_values(command);
  if (name == "--to" && command == "store") return OptionValues{ValueKind::one, {{"10m", ""}, {"1h", ""}, {"1d", ""}}};
  if (name == "--to") return OptionValues{ValueKind::one, format_offers()};
  if (name == "--level" && option.value != "PERCENT") return OptionValues{ValueKind::one, level_offers()};
  if (name == "--palette") return OptionValues{ValueKind::one, offers_of(output::palette_names())};
  if (name == "--fields" && command == "script")
    return OptionValues{ValueKind::list, offers_of(output::names_of_fields())};
  if (name == "--labels") return OptionValues{ValueKind::list, offers_of(label_names())};
  if (name == "--event") return OptionValues{ValueKind::one, event_offers(recording)};
  if (name == "--expression") return OptionValues{ValueKind::expression, field_offers(filter::Subject::sample)};
  if (name == "--filter") {
    const auto subject = command == "offcpu" ? filter::Subject::interval : filter::Subject::sample;
    return OptionValues{ValueKind::expression, field_offers(subject)};
  }
  return std::nullopt;
}

// Values that are in no table. The tests of offers check that commands take these values.
std::optional<OptionValues> fixed_values(const options::OptionFact& option) {
  using Names = std::vector<std::string_view>;
  if (option.value == "KINDS")
    return OptionValues{ValueKind::list, offers_of(Names{"kernel", "jit", "inline", "guess", "all"})};
  if (option.value == "RULE")
    return OptionValues{ValueKind::one, offers_of(Names{"by=pid", "by=comm", "by=event", "by=cgroup", "by=time:1s"})};
  if (option.name == "--background")
    return OptionValues{ValueKind::one, offers_of(Names{"yellow", "blue", "green", "grey"})};
  if (option.value == "STATES")
    return OptionValues{ValueKind::list, offers_of(Names{"R", "S", "D", "T", "t", "X", "Z", "P", "I", "N"})};
  if (option.name == "--annotations")
    return OptionValues{ValueKind::one, offers_of(Names{"github", "azure", "teamcity"})};
  if (option.name == "--compat") return OptionValues{ValueKind::one, offers_of(Names{option.value})};
  return std::nullopt;
}

bool is_file(std::string_view value) {
  return value.find("FILE") != std::string_view::npos || value == "DIR" || value == "LIST" || value == "OUT";
}

}  // namespace

OptionValues values_of(const std::string& command, const options::OptionFact& option, const std::string& recording) {
  if (option.value.empty()) return {};
  if (auto values = named_values(command, option, recording)) return *values;
  if (auto values = fixed_values(option)) return *values;
  if (auto offers = alternatives(option.value)) return {ValueKind::one, std::move(*offers)};
  return is_file(option.value) ? OptionValues{ValueKind::files, {}} : OptionValues{};
}

}  // namespace perfsift::tools
