#include "textflag.h"

// ElementProviderFromPoint(this, x, y double, to): the first two numbers come in X1 and X2.
TEXT pointTrampoline<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ X1, DX
	MOVQ X2, R8
	MOVQ ·pointTarget(SB), AX
	JMP  AX

DATA ·pointTrampoline(SB)/8, $pointTrampoline<>(SB)
GLOBL ·pointTrampoline(SB), NOPTR, $8

// SetValue(this, number double): the number comes in X1.
TEXT numberTrampoline<>(SB), NOSPLIT|NOFRAME, $0-0
	MOVQ X1, DX
	MOVQ ·numberTarget(SB), AX
	JMP  AX

DATA ·numberTrampoline(SB)/8, $numberTrampoline<>(SB)
GLOBL ·numberTrampoline(SB), NOPTR, $8
