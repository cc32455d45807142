package traces

import (
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// file writes a trace, gzipped if its name says so.
func file(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if strings.HasSuffix(name, ".gz") {
		z := gzip.NewWriter(f)
		if _, err := z.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	return path
}

// 2025-06-02 was a Monday.
const (
	goodPosts  = "feed_id,unix_seconds\nb,1748822400\na,1748908800\na,1748865600\na,1748865600\n"
	goodAccess = "unix_seconds,user_id\n1748870000,u\n1748860000,u\n1748870000,u\n1748870000,idle\n"
	goodPanel  = "user_id,feed_id\nu,a\nu,a\nu,none\nghost,a\nempty,none\n"
	goodUsers  = "user_id,kind,utc_offset_minutes,opens\nu,x,-90,2\n"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	f := Files{Posts: file(t, dir, "p.csv.gz", goodPosts), Access: file(t, dir, "a.csv", goodAccess),
		Panel: file(t, dir, "panel.csv", goodPanel), Users: file(t, dir, "users.csv", goodUsers)}
	set, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Users) != 1 || set.Users[0].ID != "u" || FormatTime(set.End) != "2025-06-04 00:00:00" {
		t.Fatalf("%+v", set)
	}
	u := set.Users[0]
	if !slices.Equal(u.Accesses, []int64{1748860000, 1748870000}) {
		t.Errorf("accesses %v: sorted, equal ones are one", u.Accesses)
	}
	if len(u.Feeds) != 1 || !slices.Equal(u.Feeds[0].Posts, []int64{1748865600, 1748865600, 1748908800}) {
		t.Errorf("feeds %v: sorted, equal posts are apart", u.Feeds)
	}
	if u.Zone.String() != "" || u.Zone == nil {
		t.Errorf("zone %v", u.Zone)
	}
	notes := strings.Join(set.Notes, "\n")
	for _, want := range []string{"left out user ghost: no accesses", "left out 1 users who read no feeds", "left out 1 feeds without posts"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes %q do not say %q", notes, want)
		}
	}
	f.Panel, f.Users = "", ""
	if set, err = Read(f); err != nil || len(set.Users) != 2 || len(set.Users[1].Feeds) != 2 {
		t.Fatalf("without a panel everybody reads everything: %+v, %v", set, err)
	}
}

func TestReadFaults(t *testing.T) {
	for _, c := range []struct{ name, posts, access, panel, users, want string }{
		{"a word", "feed_id,unix_seconds\na,1748865600\na,soon\n", goodAccess, goodPanel, goodUsers, `p.csv:3: "soon" is not a number`},
		{"not a number", "feed_id,unix_seconds\na,NaN\n", goodAccess, goodPanel, goodUsers, "p.csv:2: "},
		{"too old", goodPosts, "user_id,unix_seconds\nu,1748870000\nu,600000000\n", goodPanel, goodUsers, "a.csv:3: 600000000 is not a time between 1990 and 9999"},
		{"before 1970", "feed_id,unix_seconds\na,1748865600\na,-1\n", goodAccess, goodPanel, goodUsers, "p.csv:3: -1 is not a time between"},
		{"the year 10000", goodPosts + "a,253402300800\n", goodAccess, goodPanel, goodUsers, "p.csv:6: 253402300800 is not a time between"},
		{"beyond all numbers", goodPosts + "a,1e300\n", goodAccess, goodPanel, goodUsers, "p.csv:6: 1e300 is not a time between"},
		{"milliseconds", goodPosts + "a,1748865600000\n", goodAccess, goodPanel, goodUsers, "p.csv:6: "},
		{"after the end", goodPosts, goodAccess + "1749427201,u\n", goodPanel, goodUsers, "a.csv:6: 2025-06-09 00:00:01 is after 2025-06-08 23:59:59"},
		{"unknown column", "feed_id,unix_seconds,title\na,1748865600,x\n", goodAccess, goodPanel, goodUsers, `p.csv:1: unknown column "title"`},
		{"no such column", goodPosts, "user,unix_seconds\nu,1748870000\n", goodPanel, goodUsers, "a.csv:1: column user_id is missing"},
		{"no header", "a,1748865600\n", goodAccess, goodPanel, goodUsers, "p.csv:1: "},
		{"too few fields", goodPosts + "a\n", goodAccess, goodPanel, goodUsers, "p.csv:6: "},
		{"no name", goodPosts + ",1748865600\n", goodAccess, goodPanel, goodUsers, "p.csv:6: the feed_id is empty"},
		{"empty", "", goodAccess, goodPanel, goodUsers, "p.csv:1: the file is empty"},
		{"no rows", "feed_id,unix_seconds\n", goodAccess, goodPanel, goodUsers, "p.csv: the file has no rows"},
		{"too many fields", goodPosts + "a,1748865600,\n", goodAccess, goodPanel, goodUsers, "p.csv:6: the row has more or fewer fields"},
		{"no time", goodPosts + "a,\n", goodAccess, goodPanel, goodUsers, "p.csv:6: the unix_seconds is empty"},
		{"nobody's feed", goodPosts, goodAccess, "user_id,feed_id\nu,\n", goodUsers, "panel.csv:2: the feed_id is empty"},
		{"twice", "feed_id,unix_seconds,feed_id\na,1748865600,b\n", goodAccess, goodPanel, goodUsers, "p.csv:1: column feed_id occurs twice"},
		{"open quote", goodPosts + "\"a,1748865600\na,1748865600\n", goodAccess, goodPanel, goodUsers, "p.csv:6: "},
		{"binary", "\x00\xff\"\x01\n\x02\"", goodAccess, goodPanel, goodUsers, "p.csv:1: "},
		{"binary line", goodPosts + "\x00\xff\x01\n", goodAccess, goodPanel, goodUsers, "p.csv:6: "},
		{"a zone", goodPosts, goodAccess, goodPanel, "user_id,utc_offset_minutes\nu,2000\n", "u.csv:2: "},
		{"nobody", goodPosts, goodAccess, "user_id,feed_id\nghost,a\n", goodUsers, "no user in these traces"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			set, err := Read(Files{file(t, dir, "p.csv", c.posts), file(t, dir, "a.csv", c.access),
				file(t, dir, "panel.csv", c.panel), file(t, dir, "u.csv", c.users)})
			if err == nil || !strings.Contains(err.Error(), c.want) || set != nil {
				t.Errorf("%v, %v; want %q", set, err, c.want)
			}
		})
	}
}

// A compressed file that is cut or damaged says where.
func TestReadDamaged(t *testing.T) {
	dir := t.TempDir()
	rows := strings.Builder{}
	rows.WriteString("feed_id,unix_seconds\n")
	for i := range 20000 {
		fmt.Fprintf(&rows, "feed %d,%d\n", i*i%977, 1748822400+i)
	}
	whole, err := os.ReadFile(file(t, dir, "whole.csv.gz", rows.String()))
	if err != nil {
		t.Fatal(err)
	}
	spoiled := slices.Clone(whole)
	spoiled[len(spoiled)-6] ^= 0xff // of the checksum
	for _, c := range []struct {
		name  string
		bytes []byte
		want  string
	}{
		{"two bytes", whole[:2], `p.csv:1: the compressed file ends too early`},
		{"in the header", whole[:8], `p.csv:1: the compressed file ends too early`},
		{"half", whole[:len(whole)/2], `p.csv:\d{4,}: the compressed file ends too early`},
		{"all but one", whole[:len(whole)-1], `p.csv:20002: the compressed file ends too early`},
		{"checksum", spoiled, `p.csv:20002: the compressed file is damaged`},
		{"no deflate", append(slices.Clone(whole[:10]), 0xff, 0xff, 0xff), `p.csv:1: the compressed file is damaged`},
		{"more behind", append(slices.Clone(whole), "nothing of the kind"...), `p.csv:20002: the compressed file is damaged`},
	} {
		path := filepath.Join(dir, "p.csv")
		if err := os.WriteFile(path, c.bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		set, err := Read(Files{Posts: path, Access: file(t, dir, "a.csv", goodAccess)})
		if err == nil || set != nil || !regexp.MustCompile(c.want+"$").MatchString(err.Error()) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := Read(Files{Posts: dir, Access: file(t, dir, "a.csv", goodAccess)}); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("a folder: %v", err)
	}
	// What a spreadsheet writes is read.
	marked := Files{Posts: file(t, dir, "b.csv", "\ufeff"+strings.ReplaceAll(goodPosts, "\n", "\r\n")), Access: file(t, dir, "a.csv", goodAccess)}
	if set, err := Read(marked); err != nil || len(set.Users) != 2 {
		t.Errorf("%+v, %v", set, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(goodPosts)
	f.Add("feed_id,unix_seconds\n\"a,1748865600\n")
	f.Fuzz(func(t *testing.T, posts string) {
		dir := t.TempDir()
		set, err := Read(Files{Posts: file(t, dir, "p.csv", posts), Access: file(t, dir, "a.csv", goodAccess)})
		if (set == nil) == (err == nil) {
			t.Fatalf("%v, %v", set, err)
		}
	})
}
