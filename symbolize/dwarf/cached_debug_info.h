// The tables of debug information in a file of the cache: the cover of units, then one part for each unit that was
// used.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "symbolize/cache/cache_file.h"
#include "symbolize/dwarf/unit_tables.h"

namespace perfsift::symbolize {

// Thread-safe. Results live as long as the object.
class CachedDebugInfo {
 public:
  // nullptr if the file does not have the cover of units.
  static std::unique_ptr<const CachedDebugInfo> open(std::shared_ptr<const CacheFile> file);

  std::uint32_t unit_count() const { return unit_count_; }
  dwarf::Cover cover() const;
  // The tables of a unit; nothing if they are missing or damaged, or if the file of the unit's split part has changed.
  std::optional<dwarf::UnitTables> unit(std::uint32_t number) const;
  const CacheFile& file() const { return *file_; }

  // Parts of a new file, in this order: one add_cover(), then for each unit one of the others.
  static void add_cover(std::uint32_t unit_count, const dwarf::Cover& cover, CacheFileWriter& to);
  // `split_file`: as in DwarfUnits::Read.
  static void add_unit(const dwarf::UnitTables& unit, std::string_view split_file, CacheFileWriter& to);
  void add_unchanged(std::uint32_t number, CacheFileWriter& to) const;

 private:
  static constexpr std::size_t cover_part = 1, first_unit_part = 2;

  explicit CachedDebugInfo(std::shared_ptr<const CacheFile> file) : file_(std::move(file)) {}

  std::shared_ptr<const CacheFile> file_;
  std::uint32_t unit_count_ = 0;
  Bytes cover_;
};

}  // namespace perfsift::symbolize
