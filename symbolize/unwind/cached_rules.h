// The unwinding rules of a binary in a file of the cache: the addresses of its functions, then one part for each
// compiled group of functions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "symbolize/cache/cache_file.h"
#include "symbolize/cache/flat_array.h"
#include "symbolize/unwind/rule_table.h"

namespace perfsift::symbolize {

// A function that CFI describes.
struct IndexedFunction {
  std::uint32_t start = 0;  // from UnwindTable::base()
  std::uint32_t end = 0;
  std::uint64_t fde = 0;      // where it lies in the section
  std::uint32_t section = 0;  // the number that UnwindTable gives it
  std::uint32_t unused = 0;
};

// Thread-safe. Results live as long as the object.
class CachedRules {
 public:
  // nullptr if the file has no addresses of functions, or groups of another size.
  static std::unique_ptr<const CachedRules> open(std::shared_ptr<const CacheFile> file, std::size_t group_size);

  FlatArray<IndexedFunction> functions() const;
  // The rules of a group; nothing if they are missing or damaged.
  std::optional<RuleTable> group(std::size_t number) const;

  // Parts of a new file, in this order: one add_functions(), then for each group one of the others.
  static void add_functions(const FlatArray<IndexedFunction>& functions, CacheFileWriter& to);
  static void add_group(const RuleTable& rules, CacheFileWriter& to);
  void add_unchanged(std::size_t number, CacheFileWriter& to) const;

 private:
  static constexpr std::size_t functions_part = 1, first_group_part = 2;

  explicit CachedRules(std::shared_ptr<const CacheFile> file) : file_(std::move(file)) {}

  std::shared_ptr<const CacheFile> file_;
  Bytes functions_;
};

}  // namespace perfsift::symbolize
