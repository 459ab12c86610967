#include "master/picture_schedule.hpp"

namespace lipizz::master {
namespace {

constexpr Generation kPictures = 50;  // at most, in a run

}  // namespace

PictureSchedule::PictureSchedule(Generation generations)
    : pause_((generations + kPictures - 1) / kPictures) {}

bool PictureSchedule::is_due(Generation generation, double score) {
  if (!(score < best_score_)) return false;
  best_score_ = score;
  if (last_ > 0 && generation - last_ < pause_) return false;
  last_ = generation;
  return true;
}

}  // namespace lipizz::master
