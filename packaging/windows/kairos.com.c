// kairos.com is what a terminal starts when somebody types kairos: Windows looks for .com before .exe. kairos.exe has no
// console, so a shell does not wait for it; this program starts it, with what was redirected, waits, and ends as it does.
#include <windows.h>

enum { MAX_LONG_PATH = 32768 };

// hasArguments looks behind the name of the program, which may be quoted.
static BOOL hasArguments(const WCHAR *line) {
	WCHAR end = L' ';
	if (*line == L'"') {
		end = L'"';
		line++;
	}
	while (*line && *line != end && (end == L'"' || *line != L'\t')) line++;
	if (*line) line++;
	while (*line == L' ' || *line == L'\t') line++;
	return *line != 0;
}

// redirected is the standard file if it is redirected. kairos.exe opens a console's files itself.
static HANDLE redirected(DWORD which) {
	HANDLE file = GetStdHandle(which);
	DWORD mode;
	if (file == NULL || file == INVALID_HANDLE_VALUE || GetConsoleMode(file, &mode)) return NULL;
	SetHandleInformation(file, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
	return file;
}

static void complain(const char *what) {
	DWORD n;
	WriteFile(GetStdHandle(STD_ERROR_HANDLE), what, lstrlenA(what), &n, NULL);
}

int main(void) {
	static WCHAR program[MAX_LONG_PATH];
	DWORD length = GetModuleFileNameW(NULL, program, MAX_LONG_PATH);
	if (length < 4 || length >= MAX_LONG_PATH) return 2;
	lstrcpyW(program + length - 3, L"exe");

	STARTUPINFOW start = {0};
	start.cb = sizeof start;
	start.dwFlags = STARTF_USESTDHANDLES;
	start.hStdInput = redirected(STD_INPUT_HANDLE);
	start.hStdOutput = redirected(STD_OUTPUT_HANDLE);
	start.hStdError = redirected(STD_ERROR_HANDLE);
	PROCESS_INFORMATION started;
	if (!CreateProcessW(program, GetCommandLineW(), NULL, NULL, TRUE, 0, NULL, NULL, &start, &started)) {
		complain("kairos: kairos.exe is not beside kairos.com, or cannot be started\r\n");
		return 2;
	}
	// The window outlives the console. Anything else is waited for; a Ctrl+C reaches it too, and it decides.
	if (!hasArguments(GetCommandLineW())) return 0;
	SetConsoleCtrlHandler(NULL, TRUE);
	WaitForSingleObject(started.hProcess, INFINITE);
	DWORD code = 1;
	GetExitCodeProcess(started.hProcess, &code);
	return (int)code;
}
