// bcryptprimitives.dll for Wine 8, which lacks it: Go takes its random numbers from ProcessPrng. Only .ci/test-windows builds
// it; every Windows has its own.
#include <windows.h>
#include <ntsecapi.h>

BOOL WINAPI ProcessPrng(BYTE *to, SIZE_T size);

BOOL WINAPI ProcessPrng(BYTE *to, SIZE_T size) { return RtlGenRandom(to, (ULONG)size); }
