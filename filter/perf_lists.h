// perf's options for selecting samples, as expressions: `--comms a,b`, `--time 10%/2`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perfsift::filter {

// Each takes the option's name, for messages, and its argument as perf does; throws UsageError if perf would refuse
// it, and InputError for a list in a file that cannot be read.

// "a,b": the names themselves. An element file://PATH stands for the lines of a file.
std::vector<std::string> names_in(std::string_view option, std::string_view list);
// "a,b": comm in {"a", "b"}; nothing in the names is a wildcard.
std::string names_expression(std::string_view field, std::string_view option, std::string_view list);
// names_expression(), but elements that begin with 0x are addresses: sym in {…} || ip in {…}.
std::string symbols_expression(std::string_view option, std::string_view list);
// "1,2": the numbers themselves.
std::vector<std::int32_t> ids_in(std::string_view option, std::string_view list);

// "1,2": pid in {1, 2}.
std::string ids_expression(std::string_view field, std::string_view option, std::string_view list);
// "0,2-4": cpu in {0, 2..4}.
std::string cpus_expression(std::string_view option, std::string_view list);
// "start,stop", either of which may be missing, several of them with blanks between; "10%/2", "0%-10%,30%-40%", "10%".
std::string time_expression(std::string_view option, std::string_view ranges);

// The text in quotes, as a name without special characters.
std::string quoted_name(std::string_view name);
// quoted_name(), but * and ? are wildcards.
std::string quoted_glob(std::string_view glob);

}  // namespace perfsift::filter
