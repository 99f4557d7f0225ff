#include <algorithm>

#include "tools/command.h"

namespace perfsift::tools {

// Each is in the file of its name in tools/commands/.
extern const Command bench_command, c2c_command, check_command, completion_command, diff_command, dlfilter_command,
    doctor_command, explain_command, export_command, filter_command, flame_command, fleet_command, fold_command,
    info_command, mem_command, merge_command, offcpu_command, pack_command, record_command, report_command,
    rings_command, script_command, store_command, symbolize_command, top_command, view_command;

namespace {

constexpr const Command* all_commands[] = {
    &bench_command,  &c2c_command,     &check_command,  &completion_command, &diff_command,   &dlfilter_command,
    &doctor_command, &explain_command, &export_command, &filter_command,     &flame_command,  &fleet_command,
    &fold_command,   &info_command,    &mem_command,    &merge_command,      &offcpu_command, &pack_command,
    &record_command, &report_command,  &rings_command,  &script_command,     &store_command,  &symbolize_command,
    &top_command,    &view_command,
};

}  // namespace

std::span<const Command* const> commands() { return all_commands; }

const Command* find_command(std::string_view name) {
  const auto found = std::ranges::find(all_commands, name, &Command::name);
  return found != std::end(all_commands) ? *found : nullptr;
}

}  // namespace perfsift::tools
