// Stands in for the libraries of CUDA where there is no graphics processor: memory is plain memory, a text is compiled by
// the machine's own compiler, and a launch runs its threads one after the other. Neither barriers nor shared memory.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <map>
#include <string>
#include <unistd.h>
#include <vector>

extern "C" {
struct Dim { unsigned x, y, z; };
struct Module { void *handle; };
struct Function { void (*call)(void **, Dim, Dim); };
struct Event { double at; };
struct Program { std::string text, log, library; };

static double now() {
	timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

int cuInit(unsigned) { return getenv("EMULATOR_HAS_NO_DEVICE") ? 100 : 0; }
int cuGetErrorName(int error, const char **text) {
	*text = error == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : error == 100 ? "CUDA_ERROR_NO_DEVICE" : "CUDA_ERROR_UNKNOWN";
	return 0;
}
int cuDeviceGetCount(int *count) { *count = 1; return 0; }
int cuDeviceGet(int *device, int) { *device = 0; return 0; }
int cuDeviceGetName(char *name, int length, int) { snprintf(name, length, "emulated device"); return 0; }
int cuDeviceGetAttribute(int *value, int attribute, int) { *value = attribute == 75 ? 9 : attribute == 76 ? 0 : 1; return 0; }
int cuDevicePrimaryCtxRetain(void **context, int) { *context = (void *)1; return 0; }
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuCtxSetCurrent(void *context) { return context == (void *)1 ? 0 : 1; }
int cuMemGetInfo_v2(size_t *free_, size_t *total) { *free_ = *total = 1 << 30; return 0; }
int cuMemAlloc_v2(uint64_t *pointer, size_t bytes) {
	if (bytes > (size_t)1 << 30) return 2;
	*pointer = (uint64_t)malloc(bytes);
	// What was never written must not look like a result.
	memset((void *)*pointer, 0xff, bytes);
	return 0;
}
int cuMemFree_v2(uint64_t pointer) { free((void *)pointer); return 0; }
// Locked memory: whole pages, none of them twice, and no copy may cross where it begins or ends.
static std::map<uint64_t, uint64_t> locked;
int cuMemHostRegister_v2(uint64_t address, uint64_t bytes, unsigned) {
	if (getenv("EMULATOR_LOCKS_NOTHING") || address % 4096 || bytes % 4096 || !bytes) return 1;
	for (auto [from, to] : locked) if (address < to && from < address + bytes) return 712;
	locked[address] = address + bytes;
	return 0;
}
int cuMemHostUnregister(uint64_t address) { return locked.erase(address) ? 0 : 713; }
static bool crosses(uint64_t address, size_t bytes) {
	for (auto [from, to] : locked)
		if (address < to && from < address + bytes && (address < from || address + bytes > to)) return true;
	return false;
}
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
	if (crosses((uint64_t)from, bytes)) return 1;
	memcpy((void *)to, from, bytes);
	return 0;
}
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
	if (crosses((uint64_t)to, bytes)) return 1;
	memcpy(to, (void *)from, bytes);
	return 0;
}
int cuModuleLoadData(void **module, const void *code) {
	void *handle = dlopen((const char *)code, RTLD_NOW | RTLD_LOCAL);
	if (!handle) return 200;
	*module = new Module{handle};
	return 0;
}
int cuModuleUnload(void *) { return 0; }
int cuModuleGetFunction(void **function, void *module, const char *name) {
	void *call = dlsym(((Module *)module)->handle, (std::string(name) + "_call").c_str());
	if (!call) return 500;
	*function = new Function{(void (*)(void **, Dim, Dim))call};
	return 0;
}
int cuFuncGetAttribute(int *value, int, void *) { *value = 0; return 0; }
int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned,
	void *, void **params, void **) {
	((Function *)function)->call(params, Dim{gx, gy, gz}, Dim{bx, by, bz});
	return 0;
}
int cuEventCreate(void **event, unsigned) { *event = new Event{0}; return 0; }
int cuEventRecord(void *event, void *) { ((Event *)event)->at = now(); return 0; }
int cuEventQuery(void *event) {
	// Not done at the first look.
	static int looks = 0;
	return event && looks++ % 3 < 2 ? 600 : 0;
}
int cuEventSynchronize(void *) { return 0; }
int cuEventElapsedTime(float *milliseconds, void *from, void *to) {
	*milliseconds = 1e3 * (((Event *)to)->at - ((Event *)from)->at);
	return 0;
}

int nvrtcVersion(int *major, int *minor) { *major = 0; *minor = 1; return 0; }
int nvrtcCreateProgram(void **program, const char *text, const char *, int, void *, void *) {
	*program = new Program{text, "", ""};
	return 0;
}
int nvrtcCompileProgram(void *handle, int count, const char *const *options) {
	Program &program = *(Program *)handle;
	std::string flags = "-O2 ";
	for (int i = 0; i < count; i++) {
		if (!strcmp(options[i], "--fmad=false")) flags += "-ffp-contract=off ";
		if (!strcmp(options[i], "--fmad=true")) flags += "-ffp-contract=fast -march=native ";
	}
	std::string folder = std::string(getenv("EMULATOR_FOLDER")) + "/XXXXXX";
	if (!mkdtemp(&folder[0])) return 1;
	const std::string source = folder + "/k.cpp", library = folder + "/k.so", log = folder + "/log";
	FILE *out = fopen(source.c_str(), "w");
	fputs(R"(#include <cstdint>
#include <cstring>
#include <cmath>
#include <utility>
#define __global__
#define __device__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __restrict__ __restrict
struct Dim { unsigned x, y, z; };
static Dim blockIdx, threadIdx, blockDim, gridDim;
static double __dsqrt_rn(double x) { return std::sqrt(x); }
static long long __double_as_longlong(double x) { long long b; memcpy(&b, &x, 8); return b; }
static double __longlong_as_double(long long b) { double x; memcpy(&x, &b, 8); return x; }
template <class... A, size_t... I> static void call_with(void (*f)(A...), void **params, std::index_sequence<I...>) {
	f(*(A *)params[I]...);
}
template <class... A> static void call_all(void (*f)(A...), void **params, Dim grid, Dim block) {
	gridDim = grid;
	blockDim = block;
	for (unsigned b = 0; b < grid.x; b++)
		for (unsigned t = 0; t < block.x; t++) {
			blockIdx = {b, 0, 0};
			threadIdx = {t, 0, 0};
			call_with(f, params, std::index_sequence_for<A...>());
		}
}
)", out);
	fputs(program.text.c_str(), out);
	fputs("\nextern \"C\" void run_call(void **params, Dim grid, Dim block) { call_all(run, params, grid, block); }\n", out);
	fclose(out);
	const std::string command = "c++ -std=c++17 -w -fPIC -shared " + flags + source + " -o " + library + " 2> " + log;
	const int status = system(command.c_str());
	FILE *in = fopen(log.c_str(), "r");
	char line[1024];
	while (in && fgets(line, sizeof line, in)) program.log += line;
	if (in) fclose(in);
	program.library = library;
	return status ? 6 : 0;
}
int nvrtcGetProgramLogSize(void *handle, size_t *size) { *size = ((Program *)handle)->log.size() + 1; return 0; }
int nvrtcGetProgramLog(void *handle, char *log) { strcpy(log, ((Program *)handle)->log.c_str()); return 0; }
int nvrtcGetCUBINSize(void *handle, size_t *size) { *size = ((Program *)handle)->library.size() + 1; return 0; }
int nvrtcGetCUBIN(void *handle, char *code) { strcpy(code, ((Program *)handle)->library.c_str()); return 0; }
int nvrtcDestroyProgram(void **handle) { delete (Program *)*handle; return 0; }
}
