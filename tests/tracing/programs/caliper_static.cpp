// SPDX-License-Identifier: BSD-3-Clause
// A program that Caliper is a part of, as where it is linked with libcaliper.a.
namespace cali {
class Caliper {
  public:
    static Caliper instance();
};
Caliper Caliper::instance() {
    return {};
}
}  // namespace cali

int main() {
    cali::Caliper::instance();
}
