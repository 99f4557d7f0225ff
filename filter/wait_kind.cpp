#include "filter/wait_kind.h"

#include <algorithm>
#include <iterator>

namespace perfsift::filter {
namespace {

constexpr Word spellings[] = {
    {"preempted", wait_preempted},
    {"yield", wait_yield},
    {"new", wait_new},
    {"lock", wait_lock},
    {"page_fault", wait_page_fault},
    {"io", wait_io},
    {"condition", wait_condition},
    {"semaphore", wait_semaphore},
    {"barrier", wait_barrier},
    {"join", wait_join},
    {"park", wait_park},
    {"futex", wait_futex},
    {"sleep", wait_sleep},
    {"poll", wait_poll},
    {"pipe", wait_pipe},
    {"socket", wait_socket},
    {"tty", wait_tty},
    {"child", wait_child},
    {"signal", wait_signal},
    {"event", wait_event},
    {"message", wait_message},
    {"stopped", wait_stopped},
    {"exit", wait_exit},
    {"completion", wait_completion},
    {"idle", wait_idle},
    {"other", wait_other},
};

const Word* main_word(std::uint64_t kinds) {
  const auto* const found = std::ranges::find_if(spellings, [&](const Word& word) { return (kinds & word.bits) != 0; });
  return found != std::end(spellings) ? found : nullptr;
}

}  // namespace

std::span<const Word> wait_words() { return spellings; }

std::uint64_t main_wait(std::uint64_t kinds) {
  const Word* const word = main_word(kinds);
  return word != nullptr ? word->bits : 0;
}

std::string_view wait_name(std::uint64_t kinds) {
  const Word* const word = main_word(kinds);
  return word != nullptr ? word->name : std::string_view{};
}

}  // namespace perfsift::filter
