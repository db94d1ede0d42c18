// SPDX-License-Identifier: BSD-3-Clause
// Libraries by which programs say what they do: each function of Caliper and LIKWID that programs call, which
// counts its calls, so that the program sees that they arrive.
extern "C" {
int calls = 0;

const char* cali_attribute_name(unsigned long long attribute) {
    return attribute == 1   ? "loop"
           : attribute == 2 ? "iteration#steps"
           : attribute == 3 ? "particles"
                            : nullptr;
}
void cali_begin_region(const char*) {
    ++calls;
}
void cali_end_region(const char*) {
    ++calls;
}
void cali_begin_phase(const char*) {
    ++calls;
}
void cali_end_phase(const char*) {
    ++calls;
}
void cali_begin_string(unsigned long long, const char*) {
    ++calls;
}
void cali_begin_int(unsigned long long, int) {
    ++calls;
}
void cali_end(unsigned long long) {
    ++calls;
}
void cali_set_double(unsigned long long, double) {
    ++calls;
}
int likwid_markerStartRegion(const char*) {
    return ++calls;
}
int likwid_markerStopRegion(const char*) {
    return ++calls;
}
}

namespace cali {

class Function {
  public:
    explicit Function(const char* name);
    ~Function();
};
class Loop {
  public:
    class Iteration {
      public:
        explicit Iteration(const void* its) : its_(its) {}
        ~Iteration();
        const void* its_;
    };
    explicit Loop(const char* name);
    ~Loop();
    Iteration iteration(int number) const;
    void end();
    const void* its_;
};

Function::Function(const char*) {
    ++calls;
}
Function::~Function() {
    ++calls;
}
Loop::Loop(const char*) : its_(&calls) {
    ++calls;
}
Loop::~Loop() {
    if (its_ == &calls) ++calls;
}
Loop::Iteration Loop::iteration(int) const {
    ++calls;
    return Iteration(its_);
}
Loop::Iteration::~Iteration() {
    if (its_ == &calls) ++calls;
}
void Loop::end() {
    ++calls;
}

}  // namespace cali
