#include "analysis/input/pprof_profile.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <protozero/pbf_reader.hpp>
#include <protozero/varint.hpp>

#include "analysis/input/pprof_fields.h"
#include "base/error.h"

namespace perfsift::analysis {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

std::string_view view_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
std::string_view view_of(const protozero::data_view& view) { return {view.data(), view.size()}; }

pbf_reader reader_of(std::string_view bytes) { return pbf_reader(bytes.data(), bytes.size()); }

// Calls use(reader) for each field of a message; use() must take the field, or not touch it.
template <typename Use>
void read_fields(std::string_view message, Use&& use) {
  pbf_reader fields = reader_of(message);
  while (fields.next()) {
    if (!use(fields)) fields.skip();
  }
}

bool is_varint(const pbf_reader& field) { return field.wire_type() == pbf_wire_type::varint; }
bool is_bytes(const pbf_reader& field) { return field.wire_type() == pbf_wire_type::length_delimited; }

// Takes the field into `to` if it is a number.
template <typename Number>
bool take(pbf_reader& field, Number& to) {
  if (!is_varint(field)) return false;
  to = static_cast<Number>(field.get_uint64());
  return true;
}

// A repeated number: packed, or one by one.
template <typename Number>
bool append(pbf_reader& field, std::vector<Number>& to) {
  if (is_varint(field)) {
    to.push_back(static_cast<Number>(field.get_uint64()));
    return true;
  }
  if (!is_bytes(field)) return false;
  for (const std::uint64_t number : field.get_packed_uint64()) to.push_back(static_cast<Number>(number));
  return true;
}

// Which fields of a Profile are messages or strings, and which are numbers.
bool is_field_of_profile(std::uint32_t field, pbf_wire_type wire) {
  using Field = pprof::Profile;
  const bool number = field == Field::drop_frames || field == Field::keep_frames || field == Field::time_nanos ||
                      field == Field::duration_nanos || field == Field::period || field == Field::comment ||
                      field == Field::default_sample_type || field == Field::doc_url;
  const bool bytes = field <= Field::string_table || field == Field::period_type || field == Field::comment;
  return (number && wire == pbf_wire_type::varint) || (bytes && wire == pbf_wire_type::length_delimited);
}

bool is_value_type(std::string_view message) {
  try {
    bool known = true;
    read_fields(message, [&](pbf_reader& field) {
      known &= (field.tag() == pprof::ValueType::type || field.tag() == pprof::ValueType::unit) && is_varint(field);
      return false;
    });
    return known;
  } catch (const protozero::exception&) {
    return false;
  }
}

}  // namespace

bool looks_like_pprof(Bytes first, bool cut) {
  pbf_reader fields = reader_of(view_of(first));
  bool any_type = false;
  try {
    while (fields.next()) {
      if (!is_field_of_profile(fields.tag(), fields.wire_type())) return false;
      if (fields.tag() == pprof::Profile::sample_type) {
        if (!is_value_type(view_of(fields.get_view()))) return false;
        any_type = true;
      } else {
        fields.skip();
      }
    }
  } catch (const protozero::end_of_buffer_exception&) {
    return cut && any_type;  // a message that goes on behind the first bytes
  } catch (const protozero::exception&) {
    return false;
  }
  return any_type;
}

// Everything but the samples, which refer to each other in any order.
struct PprofProfile::Parts {
  std::vector<std::string_view> types, period_types, mappings, functions, locations;
  std::vector<std::int64_t> comments;  // numbers of strings

  // The list for messages of that field; nullptr: the field is not kept.
  std::vector<std::string_view>* of(std::uint32_t field) {
    using Field = pprof::Profile;
    switch (field) {
      case Field::sample_type:
        return &types;
      case Field::period_type:
        return &period_types;
      case Field::mapping:
        return &mappings;
      case Field::function:
        return &functions;
      case Field::location:
        return &locations;
      default:
        return nullptr;
    }
  }
};

// One pass over the bytes: most of them are samples, which are only skipped.
PprofProfile::Parts PprofProfile::read_parts() {
  Parts parts;
  read_fields(bytes_, [&](pbf_reader& field) {
    if (field.tag() == pprof::Profile::comment) return append(field, parts.comments);
    if (field.tag() == pprof::Profile::period) return take(field, period_);
    if (field.tag() == pprof::Profile::time_nanos) return take(field, time_);
    if (field.tag() == pprof::Profile::duration_nanos) return take(field, duration_);
    if (field.tag() == pprof::Profile::default_sample_type) return take(field, default_type_);
    if (!is_bytes(field)) return false;
    if (field.tag() == pprof::Profile::sample) ++samples_;
    auto* const messages = field.tag() == pprof::Profile::string_table ? &strings_ : parts.of(field.tag());
    if (messages == nullptr) return false;
    messages->push_back(view_of(field.get_view()));
    return true;
  });
  return parts;
}

PprofProfile::PprofProfile(Bytes bytes) : bytes_(view_of(bytes)) {
  try {
    const Parts parts = read_parts();
    for (const std::string_view message : parts.types) types_.push_back(read_type(message));
    for (const std::string_view message : parts.period_types) period_type_ = read_type(message);
    for (const std::int64_t number : parts.comments) comments_.push_back(text(number));
    for (const std::string_view message : parts.mappings) read_mapping(message);
    for (const std::string_view message : parts.functions) read_function(message);
    for (const std::string_view message : parts.locations) read_location(message);
  } catch (const protozero::exception&) {
    throw InputError("the pprof profile is cut off or damaged");
  }
  if (types_.empty()) throw InputError("the pprof profile has no sample types");
}

// Numbers without a string stand for nothing.
std::string_view PprofProfile::text(std::int64_t number) const {
  const bool known = number >= 0 && static_cast<std::uint64_t>(number) < strings_.size();
  return known ? strings_[static_cast<std::size_t>(number)] : std::string_view();
}

PprofValueType PprofProfile::read_type(std::string_view message) const {
  std::int64_t type = 0, unit = 0;
  read_fields(message, [&](pbf_reader& field) {
    return (field.tag() == pprof::ValueType::type && take(field, type)) ||
           (field.tag() == pprof::ValueType::unit && take(field, unit));
  });
  return {.type = text(type), .unit = text(unit)};
}

void PprofProfile::read_mapping(std::string_view message) {
  std::uint64_t id = 0;
  std::int64_t path = 0, build_id = 0;
  PprofMapping mapping;
  read_fields(message, [&](pbf_reader& field) {
    using Field = pprof::Mapping;
    return (field.tag() == Field::id && take(field, id)) ||
           (field.tag() == Field::memory_start && take(field, mapping.start)) ||
           (field.tag() == Field::file_offset && take(field, mapping.offset)) ||
           (field.tag() == Field::filename && take(field, path)) ||
           (field.tag() == Field::build_id && take(field, build_id));
  });
  mapping.path = text(path);
  mapping.build_id = text(build_id);
  mappings_.emplace(id, mapping);
}

void PprofProfile::read_function(std::string_view message) {
  std::uint64_t id = 0;
  std::int64_t name = 0, system_name = 0, file = 0;
  read_fields(message, [&](pbf_reader& field) {
    using Field = pprof::Function;
    return (field.tag() == Field::id && take(field, id)) || (field.tag() == Field::name && take(field, name)) ||
           (field.tag() == Field::system_name && take(field, system_name)) ||
           (field.tag() == Field::filename && take(field, file));
  });
  functions_.emplace(id, Function{.name = text(name).empty() ? text(system_name) : text(name), .file = text(file)});
}

PprofLine PprofProfile::read_line(std::string_view message) const {
  std::uint64_t function = 0;
  std::int64_t line = 0;
  read_fields(message, [&](pbf_reader& field) {
    return (field.tag() == pprof::Line::function_id && take(field, function)) ||
           (field.tag() == pprof::Line::line && take(field, line));
  });
  const auto known = functions_.find(function);
  const bool fits = line > 0 && line <= std::numeric_limits<std::int32_t>::max();
  return {.function = known == functions_.end() ? std::string_view() : known->second.name,
          .file = known == functions_.end() ? std::string_view() : known->second.file,
          .line = fits ? static_cast<std::uint32_t>(line) : 0};
}

void PprofProfile::read_location(std::string_view message) {
  std::uint64_t id = 0, mapping = 0;
  PprofLocation location{.number = static_cast<std::uint32_t>(locations_.size())};
  read_fields(message, [&](pbf_reader& field) {
    using Field = pprof::Location;
    if (field.tag() == Field::line && is_bytes(field)) {
      location.lines.push_back(read_line(view_of(field.get_view())));
      return true;
    }
    return (field.tag() == Field::id && take(field, id)) ||
           (field.tag() == Field::mapping_id && take(field, mapping)) ||
           (field.tag() == Field::address && take(field, location.address));
  });
  const auto known = mappings_.find(mapping);
  if (known != mappings_.end()) location.mapping = &known->second;
  if (location_numbers_.add(id, location.number)) locations_.push_back(std::move(location));
}

// Decodes one sample after the other; its vectors keep their memory.
class PprofProfile::SampleReader {
 public:
  explicit SampleReader(const PprofProfile& profile) : profile_(profile) {}

  // Empty, or what is wrong with the sample.
  std::string read(std::string_view message) {
    ids_.clear();
    values_.clear();
    labels_.clear();
    std::string_view packed;
    read_fields(message, [&](pbf_reader& field) {
      if (field.tag() == pprof::Sample::location_id) return take_locations(field, packed);
      if (field.tag() == pprof::Sample::value) return append(field, values_);
      if (field.tag() != pprof::Sample::label || !is_bytes(field)) return false;
      read_label(view_of(field.get_view()));
      return true;
    });
    if (values_.size() != profile_.types_.size())
      return fmt::format("it has {} values, and there are {} sample types", values_.size(), profile_.types_.size());
    if (std::string wrong = find_locations(packed); !wrong.empty()) return wrong;
    if (std::ranges::any_of(values_, [](std::int64_t value) { return value < 0; }))
      return "it has a negative value, as differences of profiles have";
    return {};
  }

  PprofSample sample() const {
    return {.stack = stack_, .locations = locations_, .values = values_, .labels = labels_};
  }

 private:
  // `packed`: all numbers so far, if they came in one piece.
  bool take_locations(pbf_reader& field, std::string_view& packed) {
    if (ids_.empty() && packed.empty() && is_bytes(field)) {
      packed = view_of(field.get_view());
      return true;
    }
    unpack(packed);
    packed = {};
    return append(field, ids_);
  }

  void unpack(std::string_view packed) {
    const char* at = packed.data();
    const char* const end = at + packed.size();
    std::size_t count = ids_.size();
    ids_.resize(count + packed.size());  // a number has at least a byte
    while (at != end) ids_[count++] = protozero::decode_varint(&at, end);
    ids_.resize(count);
  }

  // Samples of one stack often follow each other: their locations are looked up once.
  std::string find_locations(std::string_view packed) {
    if (!packed.empty() && packed == known_packed_) return {};
    known_packed_ = {};
    locations_.clear();
    ++stack_;
    unpack(packed);
    for (const std::uint64_t id : ids_) {
      const auto known = profile_.location_numbers_.find(id);
      if (!known) return fmt::format("there is no location {}", id);
      locations_.push_back(&profile_.locations_[*known]);
    }
    known_packed_ = packed;
    return {};
  }

  void read_label(std::string_view message) {
    std::int64_t key = 0, text = 0, unit = 0;
    PprofLabel label;
    read_fields(message, [&](pbf_reader& field) {
      using Field = pprof::Label;
      return (field.tag() == Field::key && take(field, key)) || (field.tag() == Field::str && take(field, text)) ||
             (field.tag() == Field::num && take(field, label.number)) ||
             (field.tag() == Field::num_unit && take(field, unit));
    });
    label.key = profile_.text(key);
    label.text = profile_.text(text);
    label.unit = profile_.text(unit);
    labels_.push_back(label);
  }

  const PprofProfile& profile_;
  std::vector<std::uint64_t> ids_;
  std::vector<std::int64_t> values_;
  std::vector<PprofLabel> labels_;
  std::vector<const PprofLocation*> locations_;
  std::string_view known_packed_;  // the message's bytes that became locations_
  std::uint64_t stack_ = 0;        // number of locations_
};

PprofStats PprofProfile::visit(const std::function<void(const PprofSample&)>& visitor) const {
  PprofStats stats;
  SampleReader reader(*this);
  try {
    read_fields(bytes_, [&](pbf_reader& field) {
      if (field.tag() != pprof::Profile::sample || !is_bytes(field)) return false;
      ++stats.samples;
      if (const std::string wrong = reader.read(view_of(field.get_view())); wrong.empty()) {
        visitor(reader.sample());
      } else if (stats.malformed++ == 0) {
        stats.first_malformed = wrong;
      }
      return true;
    });
  } catch (const protozero::exception&) {
    throw InputError("the pprof profile is cut off or damaged");
  }
  return stats;
}

}  // namespace perfsift::analysis
