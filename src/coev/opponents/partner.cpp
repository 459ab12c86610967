#include "coev/opponents/partner.hpp"

namespace lipizz::coev {

constinit const Opponents kPartnerOpponents{
    .name = "partner",
    .summary = "the partner in every step (Goodfellow et al. 2014)",
    .draw = [](const OpponentsInput&, ParameterValues) -> std::size_t { return 0; }};

}  // namespace lipizz::coev
