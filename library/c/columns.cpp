#include <cstdint>
#include <map>
#include <string_view>

#include "library/c/arrays.h"
#include "library/c/boundary.h"
#include "library/c/objects.h"
#include "library/c/sample_options.h"

namespace perfsift::v0::detail {
namespace {

template <auto column>
perfsift_array get_column(const Columns& columns) {
  return array_of((columns.*column)());
}

using ColumnGetter = perfsift_array (*)(const Columns&);

const std::map<std::string_view, ColumnGetter>& column_getters() {
  static const std::map<std::string_view, ColumnGetter> all = {
      {"time", get_column<&Columns::time>},
      {"weight", get_column<&Columns::weight>},
      {"period", get_column<&Columns::period>},
      {"ip", get_column<&Columns::ip>},
      {"addr", get_column<&Columns::addr>},
      {"latency", get_column<&Columns::latency>},
      {"pid", get_column<&Columns::pid>},
      {"tid", get_column<&Columns::tid>},
      {"cpu", get_column<&Columns::cpu>},
      {"event", get_column<&Columns::event>},
      {"comm", get_column<&Columns::comm>},
      {"stack", get_column<&Columns::stack>},
      {"mode", get_column<&Columns::mode>},
      {"stack_starts", get_column<&Columns::stack_starts>},
      {"stack_frames", get_column<&Columns::stack_frames>},
      {"frame_function", get_column<&Columns::frame_function>},
      {"frame_binary", get_column<&Columns::frame_binary>},
      {"frame_file", get_column<&Columns::frame_file>},
      {"frame_line", get_column<&Columns::frame_line>},
      {"frame_address", get_column<&Columns::frame_address>},
      {"frame_kind", get_column<&Columns::frame_kind>},
      {"frame_inlined", get_column<&Columns::frame_inlined>},
      {"frame_named", get_column<&Columns::frame_named>},
      {"name_starts", get_column<&Columns::name_starts>},
      {"name_bytes", get_column<&Columns::name_bytes>},
  };
  return all;
}

}  // namespace
}  // namespace perfsift::v0::detail

using namespace perfsift::v0::detail;

perfsift_columns* perfsift_columns_new(perfsift_recording* recording, const perfsift_sample_options* options,
                                       perfsift_error** error) {
  return guarded_pointer(error, [&] {
    const auto object = object_of(recording, "recording");
    const perfsift_sample_options wanted = sample_options(options);
    const perfsift::v0::ColumnsOptions columns{
        .samples = public_options(wanted),
        .stacks = wanted.no_stacks == 0,
        .detail = enumerator(wanted.detail, perfsift::v0::FrameDetail::address, "detail"),
        .threads = wanted.threads};
    return Handles::all().add<perfsift_columns>(perfsift_columns{perfsift::v0::Columns(object->recording, columns)});
  });
}

void perfsift_columns_free(perfsift_columns* columns) { Handles::all().remove(columns); }

int perfsift_columns_array(perfsift_columns* columns, const char* name, perfsift_array* array, perfsift_error** error) {
  return guarded(error, [&] {
    const auto object = object_of(columns, "columns");
    require(array, "array");
    *array = value_named(column_getters(), name)(object->columns);
  });
}
