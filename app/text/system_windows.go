package text

import "syscall"

// errnoCodes are the codes of Windows's error numbers (winerror.h); package syscall has few names for them.
var errnoCodes = map[syscall.Errno]SystemCode{
	syscall.ERROR_FILE_NOT_FOUND: FileNotFound, syscall.ERROR_PATH_NOT_FOUND: FileNotFound,
	syscall.ERROR_ACCESS_DENIED: NoPermission, syscall.ERROR_FILE_EXISTS: FileExists, syscall.ERROR_ALREADY_EXISTS: FileExists,
	267:  NotFolder,        // ERROR_DIRECTORY
	39:   DiskFull,         // ERROR_HANDLE_DISK_FULL
	112:  DiskFull,         // ERROR_DISK_FULL
	1295: QuotaExceeded,    // ERROR_DISK_QUOTA_EXCEEDED
	19:   ReadOnlyDisk,     // ERROR_WRITE_PROTECT
	23:   DiskError,        // ERROR_CRC
	1117: DiskError,        // ERROR_IO_DEVICE
	206:  NameTooLong,      // ERROR_FILENAME_EXCED_RANGE
	123:  InvalidName,      // ERROR_INVALID_NAME
	32:   FileInUse,        // ERROR_SHARING_VIOLATION
	33:   FileInUse,        // ERROR_LOCK_VIOLATION
	4:    TooManyOpenFiles, // ERROR_TOO_MANY_OPEN_FILES

	10061: ConnectionRefused,  // WSAECONNREFUSED
	10054: ConnectionReset,    // WSAECONNRESET
	10053: ConnectionReset,    // WSAECONNABORTED
	109:   ConnectionReset,    // ERROR_BROKEN_PIPE
	10051: NetworkUnreachable, // WSAENETUNREACH
	10050: NetworkUnreachable, // WSAENETDOWN
	10065: HostUnreachable,    // WSAEHOSTUNREACH
	10064: HostUnreachable,    // WSAEHOSTDOWN
	10060: TimedOut,           // WSAETIMEDOUT
}
