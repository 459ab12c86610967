#include "coev/opponents.hpp"

#include <array>

#include "coev/opponents/changing_share.hpp"
#include "coev/opponents/history.hpp"
#include "coev/opponents/partner.hpp"
#include "coev/opponents/partner_share.hpp"
#include "coev/opponents/uniform.hpp"

namespace lipizz::coev {

std::span<const Opponents* const> opponents() {
  static constexpr std::array kOpponents{&kPartnerOpponents, &kPartnerShareOpponents,
                                         &kChangingShareOpponents, &kUniformOpponents,
                                         &kHistoryOpponents};
  return kOpponents;
}

}  // namespace lipizz::coev
