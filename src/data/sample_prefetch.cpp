#include "data/sample_prefetch.hpp"

#include <utility>

namespace lipizz::data {

SamplePrefetch::SamplePrefetch(const SampleFiles& files, std::size_t sample_bytes,
                               std::uint32_t n_threads)
    : files_(files), sample_bytes_(sample_bytes) {
  for (std::uint32_t i = 0; i < n_threads; ++i) threads_.emplace_back([this] { run(); });
}

SamplePrefetch::~SamplePrefetch() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  has_work_.notify_all();
}

void SamplePrefetch::expect(std::span<const std::uint32_t> samples) {
  std::shared_ptr<Group> group = make_group(samples);
  {
    const std::lock_guard lock(mutex_);
    expected_[1] = std::move(expected_[0]);
    expected_[0] = group;
    queue_.push_back(std::move(group));
  }
  has_work_.notify_all();
}

void SamplePrefetch::read(
    std::span<const std::uint32_t> samples,
    const std::function<void(std::size_t place, std::span<const std::byte>)>& visit) {
  const std::vector<Place> places = places_of(samples);
  Bytes again;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto& [group, index] = places[i];
    State state;
    {
      std::unique_lock lock(mutex_);
      while (group->states[index] == State::kWaiting && group->next < group->samples.size()) {
        read_next(lock, group);
      }
      has_read_.wait(lock, [&] { return group->states[index] != State::kWaiting; });
      state = group->states[index];
    }
    if (state == State::kFailed) {  // here its error has somebody to tell it
      again.resize(sample_bytes_);
      files_.read(samples[i], again);
    }
    visit(i, state == State::kFailed ? std::span(std::as_const(again)) : bytes_of(*group, index));
  }
}

std::shared_ptr<SamplePrefetch::Group> SamplePrefetch::make_group(
    std::span<const std::uint32_t> samples) const {
  auto group = std::make_shared<Group>();
  for (const std::uint32_t sample : samples) {
    const bool is_new = group->places.try_emplace(sample, group->samples.size()).second;
    if (is_new) group->samples.push_back(sample);
  }
  group->bytes.resize(group->samples.size() * sample_bytes_);
  group->states.resize(group->samples.size(), State::kWaiting);
  return group;
}

std::vector<SamplePrefetch::Place> SamplePrefetch::places_of(
    std::span<const std::uint32_t> samples) {
  std::vector<Place> places(samples.size());
  std::vector<std::uint32_t> others;
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    for (const std::shared_ptr<Group>& group : expected_) {
      if (!group) continue;
      const auto found = group->places.find(samples[i]);
      if (found != group->places.end()) places[i] = {group, found->second};
    }
    if (!places[i].group) others.push_back(samples[i]);
  }
  if (others.empty()) return places;
  const std::shared_ptr<Group> group = make_group(others);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!places[i].group) places[i] = {group, group->places.at(samples[i])};
  }
  queue_.push_front(group);
  has_work_.notify_all();
  return places;
}

void SamplePrefetch::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    has_work_.wait(lock, [&] { return is_ending_ || !queue_.empty(); });
    if (is_ending_) return;
    const std::shared_ptr<Group> group = queue_.front();
    if (group->next < group->samples.size()) {
      read_next(lock, group);
    } else {
      std::erase(queue_, group);
    }
  }
}

void SamplePrefetch::read_next(std::unique_lock<std::mutex>& lock,
                               const std::shared_ptr<Group>& group) {
  const std::size_t index = group->next++;
  lock.unlock();
  State state = State::kRead;
  try {
    files_.read(group->samples[index], bytes_of(*group, index));
  } catch (...) {  // whoever reads it reads it again
    state = State::kFailed;
  }
  lock.lock();
  group->states[index] = state;
  has_read_.notify_all();
}

std::span<std::byte> SamplePrefetch::bytes_of(Group& group, std::size_t index) const {
  return std::span(group.bytes).subspan(index * sample_bytes_, sample_bytes_);
}

}  // namespace lipizz::data
