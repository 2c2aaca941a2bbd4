/* Stands in for a library of Windows that wine has only from version 9 on: the one function that Rust takes from it. */
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length) { return SystemFunction036(buffer, (ULONG)length); }
