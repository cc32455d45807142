package filechooser

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	comdlg32          = windows.NewLazySystemDLL("comdlg32.dll")
	getOpenFileName   = comdlg32.NewProc("GetOpenFileNameW")
	getSaveFileName   = comdlg32.NewProc("GetSaveFileNameW")
	commDlgExtendedEr = comdlg32.NewProc("CommDlgExtendedError")
)

// openFileName is OPENFILENAMEW of commdlg.h.
type openFileName struct {
	structSize    uint32
	owner         windows.Handle
	instance      windows.Handle
	filters       filterFields
	file          *uint16
	maxFile       uint32
	fileTitle     *uint16
	maxFileTitle  uint32
	initialDir    *uint16
	title         *uint16
	flags         uint32
	fileOffset    uint16
	fileExtension uint16
	defExt        *uint16
	custData      uintptr
	hook          uintptr
	templateName  *uint16
	reserved      uintptr
	reservedInt   uint32
	flagsEx       uint32
}

// filterFields are those of OPENFILENAMEW that say which files are offered; they fill whole words, so that nothing is
// padded.
type filterFields struct {
	filter          *uint16
	customFilter    *uint16
	maxCustomFilter uint32
	filterIndex     uint32
}

// The flags of OPENFILENAMEW that are used.
const (
	overwritePrompt = 0x2
	noChangeDir     = 0x8
	pathMustExist   = 0x800
	fileMustExist   = 0x1000
	explorer        = 0x80000
)

// maxPath is room for the longest path that Windows has.
const maxPath = 32768

func choose(ctx context.Context, r Request) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	proc := getOpenFileName
	flags := uint32(explorer | noChangeDir | pathMustExist | fileMustExist)
	if r.Save {
		proc, flags = getSaveFileName, explorer|noChangeDir|pathMustExist|overwritePrompt
	}
	if err := proc.Find(); err != nil {
		return "", fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	name := make([]uint16, maxPath)
	if given, err := windows.UTF16FromString(r.Name); err == nil {
		copy(name, given)
	}
	title, err := windows.UTF16PtrFromString(r.Title)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	o := openFileName{file: &name[0], maxFile: maxPath, title: title, flags: flags}
	o.structSize = uint32(unsafe.Sizeof(o))
	if len(r.Extensions) > 0 {
		o.filters.filter = filters(r)
	}
	if folder, err := windows.UTF16PtrFromString(r.Folder); err == nil && r.Folder != "" {
		o.initialDir = folder
	}
	if ok, _, _ := proc.Call(uintptr(unsafe.Pointer(&o))); ok == 0 {
		if code, _, _ := commDlgExtendedEr.Call(); code != 0 {
			return "", fmt.Errorf("%w: error %#x", ErrUnsupported, code)
		}
		return "", nil
	}
	return windows.UTF16ToString(name), nil
}

// filters are pairs of a name and patterns, each ended by a zero, and another zero at the end.
func filters(r Request) *uint16 {
	var list []uint16
	for _, text := range []string{r.Kind, "*" + strings.Join(r.Extensions, ";*"), r.All, "*.*"} {
		if coded, err := windows.UTF16FromString(text); err == nil {
			list = append(list, coded...)
		}
	}
	list = append(list, 0)
	return &list[0]
}
