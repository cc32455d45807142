package app

/*
#include <features.h>
#ifdef __GLIBC__
#include <malloc.h>
static void trim(void) { malloc_trim(0); }
#else
static void trim(void) {}
#endif
*/
import "C"

// trimC gives the free memory of the C library back to the system. OpenGL drivers leave much of it where they draw in
// software: glibc keeps what lies below the last piece in use.
func trimC() { C.trim() }
