package verbs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// On a full disk none of the tables is written, the old ones stay, and no folder is left.
func TestTablesOnAFullDisk(t *testing.T) {
	c, _ := withHistory(t)
	if r := c.try("insights", "--csv", "/proc/none"); r.code == 0 || r.err != "kairos: cannot use the folder: /proc/none: No such file or folder.\n" {
		t.Errorf("%+v", r)
	}
	name, err := build()
	if err != nil {
		t.Fatal(err)
	}
	disk := filepath.Join(c.cwd, "disk")
	if err := os.Mkdir(disk, 0o700); err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf(`mount -t tmpfs -o size=16k kairos '%[2]s' || exit 99
mkdir '%[2]s/old'; echo mine >'%[2]s/old/posts.csv'
for folder in new old; do
	said=$('%[1]s' --data '%[3]s' insights --csv "%[2]s/$folder" 2>&1) && echo "$folder: written"
	case $said in "kairos: the tables cannot be written: %[2]s/$folder/"*": The disk is full.") ;; *) echo "$folder: $said" ;; esac
done
find '%[2]s' -type f ! -name posts.csv; find '%[2]s' -name new; grep -v mine '%[2]s/old/posts.csv'
:`, name, disk, c.dir)
	cmd := exec.Command("sh", "-c", script)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}}
	out, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code == 99 || code < 0 {
		t.Skipf("skipped: no file system can be mounted here: %v", err)
	}
	if len(out) > 0 || err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
