#include "reader/tracepoint.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <mutex>

#include <fmt/format.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "base/owned.h"
#include "reader/tracepoint/description.h"
#include "reader/tracepoint/limits.h"
#include "reader/tracepoint/tracing_data.h"

namespace perfsift::reader {

namespace {

using TepHandle = Owned<tep_handle, tep_free>;

// libtraceevent parses with global variables, and its handles remember the event they last found.
std::mutex& libtraceevent() {
  static std::mutex mutex;
  return mutex;
}

template <typename Take>
void for_each_line(std::string_view text, Take take) {
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    take(line);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
}

std::string_view next_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  const auto word = line.substr(0, line.find_first_of(" \t"));
  line.remove_prefix(word.size());
  return word;
}

template <typename T>
std::optional<T> to_number(std::string_view word, int base) {
  T number{};
  const auto result = std::from_chars(word.data(), word.data() + word.size(), number, base);
  return result.ec == std::errc() && result.ptr == word.data() + word.size() ? std::optional(number) : std::nullopt;
}

// "ffffffff81000000 T _text" or, of a module, "… T name [module]".
void register_functions(tep_handle& tep, std::string_view kallsyms) {
  for_each_line(kallsyms, [&](std::string_view line) {
    const auto address = to_number<unsigned long long>(next_word(line), 16);
    next_word(line);
    std::string name(next_word(line));
    std::string module(next_word(line));
    if (address && !name.empty())
      tep_register_function(&tep, name.data(), *address, module.empty() ? nullptr : module.data());
  });
}

// libtraceevent 1.7.1 looks for \n and a quote at the end of a text, and does not look whether it is that long.
bool is_long_enough(std::string_view quoted) {
  constexpr std::size_t end = std::string_view("\\n\"").size();
  if (quoted.starts_with('"')) quoted.remove_prefix(1);
  return quoted.size() >= end;
}

// "0xffffffff81a00000 : "text\n""
void register_printk_formats(tep_handle& tep, std::string_view formats) {
  for_each_line(formats, [&](std::string_view line) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || colon + 2 > line.size()) return;
    auto left = line.substr(0, colon);
    auto word = next_word(left);
    if (word.starts_with("0x")) word.remove_prefix(2);
    const auto address = to_number<unsigned long long>(word, 16);
    const auto quoted = line.substr(colon + 2);
    const std::string text(quoted.substr(0, quoted.find('\0')));
    if (address && is_long_enough(text)) tep_register_print_string(&tep, text.c_str(), *address);
  });
}

// "PID COMM"
void register_comms(tep_handle& tep, std::string_view cmdlines) {
  for_each_line(cmdlines, [&](std::string_view line) {
    const auto pid = to_number<int>(next_word(line), 10);
    const std::string comm(next_word(line).substr(0, 16));
    if (pid && !comm.empty()) tep_register_comm(&tep, comm.c_str(), *pid);
  });
}

// The kernel may have a larger long than the perf that recorded it. The `commit` counter in the header of a page of
// its ring buffer is one (tools/perf/util/trace-event-read.c, read_header_files()).
int long_size(const TracingData& data) {
  for (const int size : {4, 8})
    if (data.header_page.find(fmt::format("commit;\toffset:8;\tsize:{};", size)) != std::string_view::npos) return size;
  return data.long_size == 4 ? 4 : 8;
}

// libtraceevent takes all arrays of single bytes for strings, also hardware addresses and the like.
bool holds_text(std::string_view type) {
  return type.find("char") != std::string_view::npos && type.find("unsigned") == std::string_view::npos;
}

void append_fields(const tep_format_field* list, bool common, std::vector<TracepointField>& fields) {
  for (; list != nullptr; list = list->next) {
    const auto has = [list](unsigned long flag) { return (list->flags & flag) != 0; };
    fields.push_back({
        .name = list->name,
        .type = list->type,
        .offset = static_cast<std::size_t>(std::max(list->offset, 0)),
        .size = static_cast<std::size_t>(std::max(list->size, 0)),
        .element_size = list->elementsize,
        .is_signed = has(TEP_FIELD_IS_SIGNED),
        .is_string = has(TEP_FIELD_IS_STRING) && holds_text(list->type),
        .is_array = has(TEP_FIELD_IS_ARRAY),
        .is_dynamic = has(TEP_FIELD_IS_DYNAMIC),
        .is_relative = has(TEP_FIELD_IS_RELATIVE),
        .is_common = common,
    });
  }
}

std::vector<TracepointFormat> formats_of(tep_handle& tep) {
  std::vector<TracepointFormat> formats;
  for (int i = 0; i < tep_get_events_count(&tep); ++i) {
    const tep_event& event = *tep_get_event(&tep, i);
    auto& format = formats.emplace_back();
    format.id = event.id;
    format.system = event.system;
    format.name = event.name;
    append_fields(event.format.common_fields, true, format.fields);
    append_fields(event.format.fields, false, format.fields);
  }
  std::ranges::stable_sort(formats, {}, &TracepointFormat::id);
  return formats;
}

}  // namespace

struct TracepointFormats::State {
  TepHandle tep;
  ByteOrder order = ByteOrder::native;
  bool whole = false;
  std::size_t malformed = 0;
  std::vector<TracepointFormat> formats;
  FunctionResolver resolver;
  std::string function;  // the name the resolver gave last: libtraceevent wants a pointer
};

TracepointFormats::TracepointFormats(std::unique_ptr<State> state) : state_(std::move(state)) {}
TracepointFormats::~TracepointFormats() = default;
TracepointFormats::TracepointFormats(TracepointFormats&&) noexcept = default;
TracepointFormats& TracepointFormats::operator=(TracepointFormats&&) noexcept = default;

std::optional<TracepointFormats> TracepointFormats::parse(Bytes tracing_data) {
  const auto data = read_tracing_data(tracing_data);
  if (!data) return std::nullopt;

  const std::scoped_lock turn(libtraceevent());
  tep_set_loglevel(TEP_LOG_NONE);  // it would write to stderr
  auto state = std::make_unique<State>();
  state->tep.reset(tep_alloc());
  state->order = data->order;
  state->whole = data->whole;

  tep_handle& tep = *state->tep;
  tep_set_flag(&tep, TEP_NSEC_OUTPUT);
  tep_set_file_bigendian(&tep, data->big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
  tep_set_page_size(&tep, static_cast<int>(data->page_size));
  tep_set_long_size(&tep, long_size(*data));
  for (const auto& format : data->formats) {
    const bool parsed =
        is_sane(format.text) && tep_parse_event(&tep, format.text.data(), format.text.size(),
                                                std::string(format.system).c_str()) == TEP_ERRNO__SUCCESS;
    if (!parsed) ++state->malformed;
  }
  register_functions(tep, data->kallsyms);
  register_printk_formats(tep, data->printk_formats);
  register_comms(tep, data->saved_cmdlines);
  state->formats = formats_of(tep);
  return TracepointFormats(std::move(state));
}

bool TracepointFormats::whole() const { return state_->whole; }
ByteOrder TracepointFormats::order() const { return state_->order; }
std::size_t TracepointFormats::malformed() const { return state_->malformed; }
const std::vector<TracepointFormat>& TracepointFormats::all() const { return state_->formats; }

const TracepointField* TracepointFormat::find(std::string_view field) const {
  const auto found = std::ranges::find(fields, field, &TracepointField::name);
  return found != fields.end() ? &*found : nullptr;
}

const TracepointFormat* TracepointFormats::find(std::int32_t id) const {
  const auto found = std::ranges::lower_bound(state_->formats, id, {}, &TracepointFormat::id);
  return found != state_->formats.end() && found->id == id ? &*found : nullptr;
}

const TracepointFormat* TracepointFormats::find(std::string_view system, std::string_view name) const {
  const auto found = std::ranges::find_if(
      state_->formats, [&](const TracepointFormat& format) { return format.system == system && format.name == name; });
  return found != state_->formats.end() ? &*found : nullptr;
}

std::optional<std::uint64_t> TracepointFormats::number(const TracepointField& field, Bytes raw) const {
  const auto bytes = content(field, raw, state_->order);
  if (!bytes || field.is_array || field.is_dynamic) return std::nullopt;
  ByteReader in(*bytes, state_->order);
  switch (field.size) {
    case 1:
      return field.is_signed ? static_cast<std::uint64_t>(static_cast<std::int8_t>(in.u8())) : in.u8();
    case 2:
      return field.is_signed ? static_cast<std::uint64_t>(static_cast<std::int16_t>(in.u16())) : in.u16();
    case 4:
      return field.is_signed ? static_cast<std::uint64_t>(in.i32()) : in.u32();
    case 8:
      return in.u64();
    default:
      return std::nullopt;
  }
}

std::string TracepointFormats::text(const TracepointField& field, Bytes raw) const {
  const auto bytes = content(field, raw, state_->order);
  if (!bytes) return {};
  if (field.is_string) return std::string(c_string(*bytes));
  if (const auto value = number(field, raw))
    return field.is_signed ? std::to_string(static_cast<std::int64_t>(*value)) : std::to_string(*value);
  std::vector<unsigned> values;
  for (const std::byte byte : *bytes) values.push_back(std::to_integer<unsigned>(byte));
  return fmt::format("ARRAY[{:02x}]", fmt::join(values, ", "));
}

namespace {

std::string as_fields(const TracepointFormats& formats, const TracepointFormat& format, Bytes raw) {
  std::string text;
  for (const TracepointField& field : format.fields)
    if (!field.is_common) text += fmt::format("{}{}={}", text.empty() ? "" : " ", field.name, formats.text(field, raw));
  return text;
}

// libtraceevent reads strings to their NUL and elements of up to eight bytes; zeros after the raw data end both.
std::vector<std::byte> with_room(Bytes raw) {
  std::vector<std::byte> copy(raw.size() * 9 + 64);
  std::ranges::copy(raw, copy.begin());
  return copy;
}

}  // namespace

std::string TracepointFormats::print(const TracepointFormat& format, Bytes raw, std::int32_t cpu) const {
  const std::scoped_lock turn(libtraceevent());
  tep_handle* const tep = state_->tep.get();
  const tep_event* const event = tep_find_event(tep, format.id);
  // libtraceevent goes by the raw data's own idea of which event it is.
  const auto* const type = format.find("common_type");
  const bool agree = type != nullptr && number(*type, raw) == static_cast<std::uint64_t>(format.id);
  if (event == nullptr || !agree || !is_printable(*event, *this, format, raw)) return as_fields(*this, format, raw);

  auto data = with_room(raw);
  tep_record record{};
  record.cpu = cpu;
  record.size = static_cast<int>(raw.size());
  record.data = data.data();
  trace_seq seq;
  trace_seq_init(&seq);
  tep_print_event(tep, &seq, &record, "%s", TEP_PRINT_INFO);
  trace_seq_terminate(&seq);
  std::string printed(seq.state == TRACE_SEQ__GOOD ? seq.buffer : "");
  trace_seq_destroy(&seq);
  return printed;
}

void TracepointFormats::set_function_resolver(FunctionResolver resolver) {
  state_->resolver = std::move(resolver);
  const auto resolve = [](void* context, unsigned long long* address, char** module) -> char* {
    auto& state = *static_cast<State*>(context);
    const auto function = state.resolver(*address);
    if (!function) return nullptr;
    state.function = function->name;
    *address = function->address;
    *module = nullptr;
    return state.function.data();
  };
  tep_set_function_resolver(state_->tep.get(), resolve, state_.get());
}

}  // namespace perfsift::reader
