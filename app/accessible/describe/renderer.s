// This file is empty. With it the compiler accepts that the function in renderer.go has no body here.
