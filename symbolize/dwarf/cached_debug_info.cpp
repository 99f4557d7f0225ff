#include "symbolize/dwarf/cached_debug_info.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "symbolize/cache/flat_tables.h"
#include "symbolize/files/file_stamp.h"

namespace perfsift::symbolize {

using dwarf::SourceName;
using dwarf::UnitTables;

namespace {

// Names of templates are long: a large unit has some megabytes of names. A hostile unit with a million functions of the
// same long name is not kept.
constexpr std::size_t longest_names = 64 << 20;

struct NamePlace {
  std::uint32_t begin = 0;  // in the text of all names
  std::uint32_t size : 31 = 0;
  std::uint32_t mangled : 1 = 0;
};
static_assert(sizeof(NamePlace) == 8);

class CachedNames : public dwarf::FunctionNames {
 public:
  explicit CachedNames(FlatReader& in) : places_(in.read<NamePlace>()), text_(in.read<char>()) {}

  SourceName name(std::uint32_t number) const override {
    const NamePlace& place = places_[number];
    return {std::string_view(text_.data() + place.begin, place.size), place.mangled != 0};
  }
  std::uint32_t count() const override { return static_cast<std::uint32_t>(places_.size()); }
  bool is_sound() const {
    const auto has_text = [&](const NamePlace& place) {
      return std::uint64_t{place.begin} + place.size <= text_.size();
    };
    return std::ranges::all_of(places_, has_text);
  }

 private:
  std::span<const NamePlace> places_;
  std::span<const char> text_;
};

// False if the names are too long.
bool write_names(const dwarf::FunctionNames& names, FlatWriter& out) {
  std::vector<NamePlace> places;
  std::vector<char> text;
  places.reserve(names.count());
  for (std::uint32_t number = 0; number < names.count(); ++number) {
    const SourceName name = names.name(number);
    if (name.text.size() > longest_names - text.size()) return false;
    places.push_back({.begin = static_cast<std::uint32_t>(text.size()),
                      .size = static_cast<std::uint32_t>(name.text.size()) & 0x7fff'ffff,
                      .mangled = name.mangled});
    text.insert(text.end(), name.text.begin(), name.text.end());
  }
  out.write(std::span<const NamePlace>(places));
  out.write(std::span<const char>(text));
  return true;
}

}  // namespace

std::unique_ptr<const CachedDebugInfo> CachedDebugInfo::open(std::shared_ptr<const CacheFile> file) {
  if (!file) return nullptr;
  std::unique_ptr<CachedDebugInfo> info(new CachedDebugInfo(std::move(file)));
  info->cover_ = info->file_->part(cover_part);
  info->unit_count_ = FlatReader(info->cover_).read_one<std::uint32_t>();
  const bool complete = info->file_->part_count() == first_unit_part + info->unit_count_;
  return complete && info->cover().is_sound(info->unit_count_) ? std::move(info) : nullptr;
}

dwarf::Cover CachedDebugInfo::cover() const {
  FlatReader in(cover_);
  dwarf::Cover cover;
  in.read_one<std::uint32_t>();
  dwarf::Cover::visit_arrays(cover, in);
  return in.done() ? std::move(cover) : dwarf::Cover();
}

std::optional<UnitTables> CachedDebugInfo::unit(std::uint32_t number) const {
  FlatReader in(file_->part(first_unit_part + number));
  const std::span<const char> split_file = in.read<char>();
  if (!split_file.empty() && !is_unchanged({split_file.data(), split_file.size()})) return std::nullopt;
  UnitTables tables;
  UnitTables::visit_arrays(tables, in);
  auto names = std::make_unique<CachedNames>(in);
  if (!in.done() || !names->is_sound()) return std::nullopt;
  tables.names = std::move(names);
  return tables.is_sound() ? std::optional(std::move(tables)) : std::nullopt;
}

void CachedDebugInfo::add_cover(std::uint32_t unit_count, const dwarf::Cover& cover, CacheFileWriter& to) {
  FlatWriter out;
  out.write_one(unit_count);
  dwarf::Cover::visit_arrays(cover, out);
  to.add(out.bytes());
}

void CachedDebugInfo::add_unit(const UnitTables& unit, std::string_view split_file, CacheFileWriter& to) {
  FlatWriter out;
  out.write(std::span<const char>(split_file));
  UnitTables::visit_arrays(unit, out);
  if (write_names(*unit.names, out))
    to.add(out.bytes());
  else
    to.add_missing();
}

void CachedDebugInfo::add_unchanged(std::uint32_t number, CacheFileWriter& to) const {
  to.add_unchanged(*file_, first_unit_part + number);
}

}  // namespace perfsift::symbolize
