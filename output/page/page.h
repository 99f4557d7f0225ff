// The page that shows profiles: one self-contained HTML file, which works without a network.
//
// The data are compressed, and the title is the only text of a recording in the markup. The scripts read the data, and
// show texts as texts. A Content-Security-Policy allows only the page's own script to run, and nothing to be loaded.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "output/page/page_data.h"

namespace perfsift::output {

using PageSink = std::function<void(std::string_view part)>;

// Writes the page with its data, part by part. The parts together are the file. The bytes do not depend on the number
// of threads.
void write_report_page(const PageContents& contents, unsigned threads, const PageSink& write);

// The page of a server. Its scripts request "data" from the server, which is PageData::bytes(). `nonce`: a random text
// for the policy.
std::string live_page(std::string_view title, std::string_view nonce);

// The policy of live_page() as the value of the HTTP header.
std::string live_page_policy(std::string_view nonce);

}  // namespace perfsift::output
