// The address of a store, and which of its samples are wanted, as one text:
//
//   chdb:DIR?service=shop&version=1.2&host=a&host=b&from=2026-11-28T10:00:00Z&to=2026-11-28T11:00:00Z
//
// DIR is a folder that an engine in this process keeps. Names are labels of recordings, except event, thread, cgroup,
// from and to. A byte that means something else here is written as %XX.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/selection.h"

namespace perfsift::store {

struct StoreUrl {
  std::string folder;
  Selection selection;
};

// Whether an input or an argument is meant as a store.
bool is_store_url(std::string_view text);
// Throws UsageError.
StoreUrl parse_store_url(std::string_view text);

// Seconds since 1970, or a time of UTC: 2026-11-28, 2026-11-28T10:00, 2026-11-28T10:00:00Z. Nothing for other texts and
// for years that a store cannot hold (before 1970, after 2105).
std::optional<std::uint32_t> parse_time(std::string_view text);

}  // namespace perfsift::store
