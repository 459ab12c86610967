#include "worker/state_bytes.hpp"

#include <utility>

namespace lipizz::worker {

StateBytes::StateBytes(Bytes bytes) : bytes_(std::move(bytes)) {}

StateBytes::StateBytes(std::function<Bytes()> encode) : encode_(std::move(encode)) {}

const Bytes& StateBytes::get() const {
  const std::scoped_lock lock(mutex_);
  if (encode_) {
    bytes_ = encode_();
    encode_ = nullptr;
  }
  return bytes_;
}

}  // namespace lipizz::worker
