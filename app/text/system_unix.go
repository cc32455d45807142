//go:build !windows

package text

import "syscall"

// errnoCodes are the codes of the system's error numbers.
var errnoCodes = map[syscall.Errno]SystemCode{
	syscall.ENOENT: FileNotFound, syscall.EACCES: NoPermission, syscall.EPERM: NoPermission, syscall.EEXIST: FileExists,
	syscall.EISDIR: IsFolder, syscall.ENOTDIR: NotFolder, syscall.ENOSPC: DiskFull, syscall.EDQUOT: QuotaExceeded,
	syscall.EROFS: ReadOnlyDisk, syscall.EIO: DiskError, syscall.ENAMETOOLONG: NameTooLong, syscall.EBUSY: FileInUse,
	syscall.ETXTBSY: FileInUse, syscall.EMFILE: TooManyOpenFiles, syscall.ENFILE: TooManyOpenFiles,
	syscall.ECONNREFUSED: ConnectionRefused, syscall.ECONNRESET: ConnectionReset, syscall.ECONNABORTED: ConnectionReset,
	syscall.EPIPE: ConnectionReset, syscall.ENETUNREACH: NetworkUnreachable, syscall.ENETDOWN: NetworkUnreachable,
	syscall.EHOSTUNREACH: HostUnreachable, syscall.EHOSTDOWN: HostUnreachable, syscall.ETIMEDOUT: TimedOut,
}
