// The page that shows profiles: one HTML file without any other, which works without a network.
//
// The data are compressed, and nothing of a recording but the title is in the markup: the scripts read the data, and
// show texts as texts. A Content-Security-Policy lets only the page's own script run, and nothing be loaded.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "output/page/page_data.h"

namespace perfsift::output {

using PageSink = std::function<void(std::string_view part)>;

// Writes the page with its data, part by part: together they are a file. The number of threads does not change the
// bytes.
void write_report_page(const PageContents& contents, unsigned threads, const PageSink& write);

// The page of a server: the scripts ask the server for "data", which is PageData::bytes(). `nonce`: random, for the
// policy.
std::string live_page(std::string_view title, std::string_view nonce);

// The policy of live_page() as the value of the HTTP header.
std::string live_page_policy(std::string_view nonce);

}  // namespace perfsift::output
