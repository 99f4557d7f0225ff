// The questions of the page of perfsift view to its server.
//
//   (nothing)        the page
//   data             what the page shows: see output/page/page_data.h
//   fields           the fields of filters, as JSON
//   explain?filter=  what a filter means, or why it is refused, as JSON; of all recordings or of &recording=
//   rows?filter=     the samples that a filter keeps, of all recordings or of &recording=: see filtered_rows.h
//   waits?filter=    the intervals off the CPU that it keeps, in the same form
//   save?as=data&recording=&filter=
//                    the recording with only the samples that the filter keeps
//   save?as=svg&recording=&filter=&unit=&shape=&palette=&search=&upwards=
//                    their flame graph; the unit is samples, time or periods, the rest is as in the page's links
//   save?as=pprof&recording=&filter=
//                    a profile of them for pprof
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "filter/filter.h"
#include "reader/recording.h"
#include "tools/http/http_server.h"
#include "tools/view/access.h"
#include "tools/view/filtered_rows.h"
#include "tools/view/viewed.h"
#include "tools/view/work_queue.h"

namespace perfsift::tools {

// answer() is for one thread. Everything given must live longer.
class LiveView {
 public:
  LiveView(const Access& access, const Viewed& viewed);
  // Work in progress is given up.
  ~LiveView();
  LiveView(const LiveView&) = delete;
  LiveView& operator=(const LiveView&) = delete;

  void answer(const HttpRequest& request, HttpAnswer answer);

 private:
  // A question is answered at once, or later on the thread of the queue.
  struct Question {
    std::string_view name;
    HttpResponse (LiveView::*answer_now)(const HttpRequest& request) = nullptr;
    std::string (LiveView::*answer_later)(const HttpRequest& request) = nullptr;
  };
  static const Question questions[];

  HttpResponse page(const HttpRequest& request);
  HttpResponse data(const HttpRequest& request);
  HttpResponse fields(const HttpRequest& request);
  HttpResponse explanation(const HttpRequest& request);
  std::string kept_rows(const HttpRequest& request);
  std::string kept_waits(const HttpRequest& request);
  std::string saved(const HttpRequest& request);

  void add_to_queue(const Question& question, const HttpRequest& request, HttpAnswer answer);
  // Once a page has its data, the server has time until the first question.
  void prepare();
  // Throws UsageError if a recording of the request does not have what the filter asks for.
  void check(const filter::Filter& filter, const HttpRequest& request);
  // Throws UsageError if the page has no recording of that number.
  std::size_t recording_of(const HttpRequest& request) const;
  // The one recording that is asked; nothing: all are asked.
  std::optional<std::size_t> only_recording_of(const HttpRequest& request) const;

  const Access& access_;
  const Viewed viewed_;
  FilteredRows rows_;
  std::map<std::size_t, std::unique_ptr<reader::Recording>> checked_;  // opened once more: the queue's work has its own
  const std::string data_;
  analysis::StopFlag ends_;
  std::vector<std::weak_ptr<analysis::StopFlag>> waiting_;  // of requests without an answer
  bool is_prepared_ = false;
  WorkQueue work_;  // ends first: its work uses the others
};

}  // namespace perfsift::tools
