// The program's memory comes from mimalloc: a search makes and drops about a hundred small objects
// with each move. Part of executables only; whoever links the libraries keeps his own allocator.
#include <mimalloc-new-delete.h>
