#pragma once

#include <string_view>

namespace lipizz::report {

/// The files that pages are made of: Debian's Chart.js, and the files of src/report/page, each
/// whole. They are read when CMake configures the build, so that a program carries them along. To
/// add one, write it there, and name it here, in page_files.cpp.in and in CMakeLists.txt.

extern const std::string_view kChartScript;  // Chart.js 3, with its license in front
extern const std::string_view kPageStyle;    // of every page; page.css says what there is
extern const std::string_view kPageScript;   // the object `lipizz`; page.js says what it offers
extern const std::string_view kReportStyle;  // of `lipizz report` alone, as is the next
extern const std::string_view kReportScript;
extern const std::string_view kCompareScript;  // of `lipizz compare` alone

}  // namespace lipizz::report
