#include "tensorboard/event_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/durable_folder.hpp"
#include "core/error.hpp"
#include "tensorboard/event.pb.h"
#include "tensorboard/record.hpp"

namespace lipizz::tensorboard {
namespace {

namespace fs = std::filesystem;

GrowingFile next_file(const fs::path& folder) {
  make_folders(folder);
  constexpr int kMost = 999'999;
  for (int n = 1; n <= kMost; ++n) {
    const fs::path path = folder / fmt::format("events.out.tfevents.{:06}.lipizz", n);
    if (is_missing(path)) return GrowingFile(path);
  }
  throw CheckpointError(folder.string() + ": is full of event files");
}

std::string written(const proto::Event& event) {
  return record(event.SerializeAsString());
}

}  // namespace

struct EventFile::Pending {
  proto::Event event;

  proto::Summary::Value& value(const std::string& tag) {
    proto::Summary::Value& added = *event.mutable_summary()->add_value();
    added.set_tag(tag);
    return added;
  }
};

EventFile::EventFile(const fs::path& folder, std::int64_t first_step, Now now)
    : file_(next_file(folder)), now_(std::move(now)), pending_(std::make_unique<Pending>()) {
  proto::Event version;
  version.set_wall_time(now_());
  version.set_file_version("brain.Event:2");  // from 2 on, readers heed the start of a session
  proto::Event start;
  start.set_wall_time(now_());
  start.set_step(first_step);
  start.mutable_session_log()->set_status(proto::SessionLog::START);
  file_.append(written(version) + written(start));
}

EventFile::EventFile(EventFile&&) noexcept = default;
EventFile& EventFile::operator=(EventFile&&) noexcept = default;
EventFile::~EventFile() = default;

void EventFile::add(const std::string& tag, double figure) {
  if (std::isfinite(figure)) pending_->value(tag).set_simple_value(static_cast<float>(figure));
}

void EventFile::add(const std::string& tag, const Picture& picture) {
  proto::Summary::Image& image = *pending_->value(tag).mutable_image();
  image.set_height(static_cast<std::int32_t>(picture.height));
  image.set_width(static_cast<std::int32_t>(picture.width));
  image.set_colorspace(static_cast<std::int32_t>(picture.channels));
  image.set_encoded_image_string(picture.png);
}

void EventFile::add(const std::string& tag, const Histogram& histogram) {
  if (histogram.counts.empty()) return;
  proto::HistogramProto& told = *pending_->value(tag).mutable_histo();
  told.set_min(histogram.min);
  told.set_max(histogram.max);
  told.set_sum(histogram.sum);
  told.set_sum_squares(histogram.sum_squares);
  const auto n_buckets = static_cast<double>(histogram.counts.size());
  const double width = (histogram.max - histogram.min) / n_buckets;
  double n = 0;
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    const bool is_last = i + 1 == histogram.counts.size();
    told.add_bucket_limit(is_last ? histogram.max
                                  : histogram.min + width * static_cast<double>(i + 1));
    told.add_bucket(histogram.counts[i]);
    n += histogram.counts[i];
  }
  told.set_num(n);
}

void EventFile::write(std::int64_t step) {
  proto::Event& event = pending_->event;
  if (!event.has_summary()) return;
  event.set_wall_time(now_());
  event.set_step(step);
  const std::string text = written(event);
  event.Clear();
  file_.append(text);
}

}  // namespace lipizz::tensorboard
