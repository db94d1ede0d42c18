// SPDX-License-Identifier: BSD-3-Clause
// A program with Caliper's macros for C and C++, expanded.
extern "C" {
extern int calls;
void cali_begin_region(const char*);
void cali_end_region(const char*);
void cali_begin_phase(const char*);
void cali_end_phase(const char*);
void cali_begin_string(unsigned long long, const char*);
void cali_begin_int(unsigned long long, int);
void cali_end(unsigned long long);
void cali_set_double(unsigned long long, double);
}

namespace cali {
class Function {
  public:
    explicit Function(const char* name);
    ~Function();
};
class Loop {
    struct Impl;
    Impl* its;

  public:
    class Iteration {
        const Impl* its;

      public:
        ~Iteration();
    };
    explicit Loop(const char* name);
    ~Loop();
    Iteration iteration(int number) const;
    void end();
};
class Variant {
  public:
    explicit Variant(const char* text) : typeAndSize_((4ULL << 32) | 4), text_(text) {}

  private:
    unsigned long long typeAndSize_;
    const char* text_;
};
class Annotation {
    void* its;

  public:
    class Guard {
        void* its;

      public:
        explicit Guard(Annotation& annotation);
        ~Guard();
    };
    explicit Annotation(const char* name, int options = 0);
    Annotation& begin();
    Annotation& begin(int number);
    Annotation& begin(const Variant& value);
    Annotation& set(double number);
    void end();
};
}  // namespace cali

/// Eleven calls arrive, of which two go on to another by themselves.
static void annotate() {
    cali::Annotation step("step"), kind("kind"), rate("rate");
    step.begin(7);
    kind.begin(cali::Variant("fast and more"));
    kind.end();
    step.end();
    { const cali::Annotation::Guard guard(kind.begin()); }
    rate.set(2.5);
}

int main() {
    {
        cali::Function function("compute");
        cali::Loop loop("cells");
        { cali::Loop::Iteration iteration(loop.iteration(4)); }
        loop.end();
    }
    cali_begin_phase("setup");
    cali_begin_region("mesh");
    cali_set_double(3, 2.5);
    cali_end_region("mesh");
    cali_end_phase("setup");
    cali_begin_string(1, "steps");
    cali_begin_int(2, 9);
    cali_end(2);
    cali_end(1);
    cali_end_region("none");
    annotate();
    return calls == 30 ? 0 : 1;
}
