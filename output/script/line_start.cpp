#include "output/script/line_start.h"

#include <ctime>

#include "base/duration.h"

namespace perfsift::output {
namespace {

// The kernel's cpumodes are numbers, perf tests them as if they were bits: a guest's user mode (5) is
// shown as "KGg".
void print_misc(TextWriter& out, const LineOrigin& origin) {
  constexpr std::size_t width = 6;
  std::size_t letters = 0;
  const auto letter = [&](bool shown, char c) {
    if (shown) out.character(c), ++letters;
  };
  const auto has = [&](std::uint16_t bits) { return (origin.misc & bits) == bits; };
  for (const auto& [mode, c] : {std::pair{1, 'K'}, {2, 'U'}, {3, 'H'}, {4, 'G'}, {5, 'g'}}) {
    letter(has(static_cast<std::uint16_t>(mode)), c);
  }
  switch (origin.type) {
    case reader::RecordType::mmap:
    case reader::RecordType::mmap2:
      letter(has(reader::misc::mmap_data), 'M');
      break;
    case reader::RecordType::comm:
      letter(has(reader::misc::comm_exec), 'E');
      break;
    case reader::RecordType::switch_:
    case reader::RecordType::switch_cpu_wide:
      letter(has(reader::misc::switch_out), 'S');
      letter(has(reader::misc::switch_out | reader::misc::switch_out_preempt), 'p');
      break;
    default:
      break;
  }
  out.spaces(letters < width ? width - letters : 1);
}

}  // namespace

void LineStart::print(TextWriter& out, const LineOrigin& origin, FieldSet fields, bool narrow_comm) {
  if (fields.has(Field::comm)) {
    out.right(origin.comm, narrow_comm ? 0 : 16);
    out.character(' ');
  }
  if (fields.has(Field::pid)) {
    out.signed_decimal(origin.pid, id_width_);
    out.character(fields.has(Field::tid) ? '/' : ' ');
  }
  if (fields.has(Field::tid)) {
    if (fields.has(Field::pid)) {
      out.left(fmt::format_int(origin.tid).c_str(), id_width_);
    } else {
      out.signed_decimal(origin.tid, id_width_);
    }
    out.character(' ');
  }
  if (fields.has(Field::cpu)) {
    if (origin.cpu >= 0) {
      out.character('[');
      out.decimal(static_cast<std::uint32_t>(origin.cpu), 3, '0');
      out.text("] ");
    } else {
      out.format("[{:03}] ", origin.cpu);
    }
  }
  if (fields.has(Field::misc)) print_misc(out, origin);
  if (fields.has(Field::tod)) print_time_of_day(out, origin.time);
  if (fields.has(Field::time)) print_time(out, origin.time);
}

void LineStart::print_time(TextWriter& out, std::uint64_t time) {
  std::uint64_t shown = time;
  if (format_.relative) {
    if (initial_time_ == 0) initial_time_ = time;
    shown = time - initial_time_;
  } else if (format_.delta) {
    shown = previous_time_ != 0 ? time - previous_time_ : 0;
    previous_time_ = time;
  }
  out.decimal(shown / one_second, 5);
  out.character('.');
  if (format_.nanoseconds) {
    out.decimal(shown % one_second, 9, '0');
  } else {
    out.decimal(shown % one_second / 1000, 6, '0');
  }
  out.text(": ");
}

void LineStart::print_time_of_day(TextWriter& out, std::uint64_t time) const {
  if (!clock_) return out.text("disabled ");
  const std::uint64_t wall = clock_->wall_ns + (time - clock_->clock_ns);  // wraps where time is the earlier one
  const auto seconds = static_cast<std::time_t>(wall / one_second);
  std::tm local{};
  char date[64];
  if (localtime_r(&seconds, &local) == nullptr) return out.text("failed ");
  const std::size_t size = std::strftime(date, sizeof date, "%F %H:%M:%S", &local);
  out.text({date, size});
  out.character('.');
  if (format_.nanoseconds) {
    out.decimal(wall % one_second, 9, '0');
  } else {
    out.decimal(wall % one_second / 1000, 6, '0');
  }
  out.character(' ');
}

}  // namespace perfsift::output
