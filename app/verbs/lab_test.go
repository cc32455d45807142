package verbs

import (
	"bytes"
	"fmt"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kairos/reader/readertest"
)

func TestLabTables(t *testing.T) {
	readertest.SkipWithRace(t)
	c := newCommand(t)
	few := slices.Clip(writeTraces(c, 6, 30))
	for table, names := range map[string]string{
		"sia":       "table rates policy interval_h mean_age_h max_age_h sd_age_h to_uniform posts fetches",
		"he-parker": "table user opens_a_day rates split schedule delay_h_day missed_an_access delay_to_uniform missed_to_uniform fetches",
		"cgm":       "table rates policy interval_h mean_age_h max_age_h sd_age_h to_uniform posts fetches",
		"feeds":     "table figure x y",
		"push":      "table hub_share mean_age_h requests_a_feed_day requests_for_an_hour",
		"window":    "table figure history_days mean_age_h to_uniform",
	} {
		t.Run(table, func(t *testing.T) {
			lab := func(args ...string) string { return labOnSynthetic(c, append(args, "--weeks", "1")...) }
			if table == "he-parker" { // takes milliseconds for each feed and day: here there are three
				lab = func(args ...string) string { return c.do(append(few, args...)...) }
			}
			out := lab("--table", table)
			if !strings.Contains(out, "paper") && !strings.Contains(out, "thesis") || strings.Contains(out, "{") {
				t.Error(out)
			}
			keys(t, table, objects(t, lab("--table", table, "--json"))[0], names)
		})
	}
}

// labOnSynthetic returns what `lab` prints about the synthetic set.
func labOnSynthetic(c *command, args ...string) string {
	c.t.Helper()
	r := c.try(append([]string{"lab"}, args...)...)
	if r.code != 0 || r.err != "kairos: no traces given; using a small synthetic set\n" {
		c.t.Fatalf("lab %v: %+v", args, r)
	}
	return r.out
}

// writeTraces writes the traces of people who read three feeds for some days, and returns the
// arguments of `lab` that read them.
func writeTraces(c *command, people, days int) []string {
	posts, access := "feed_id,unix_seconds\n", "user_id,unix_seconds\n"
	const start = 1767571200 // a Monday
	for at := start - days*86400; at < start; at += 3 * 3600 {
		for k := range 3 {
			posts += fmt.Sprintf("f%d,%d\n", k, at+600*k)
		}
		for k := range people {
			access += fmt.Sprintf("u%d,%d\n", k, at+4000+60*k)
		}
	}
	return []string{"lab", "--posts", c.file("posts.csv", posts), "--access", c.file("access.csv", access)}
}

func TestLabOnFiles(t *testing.T) {
	readertest.SkipWithRace(t)
	c := newCommand(t)
	args := writeTraces(c, 6, 30)
	c.file("signs.csv", "user_id,unix_seconds,kind\nu1,1767571200,unlock\nu1,1767571300,wave\n")
	c.file("awake.csv", "user_id,from,to\nu1,1767571200,1767571100\n")
	if rows := c.lines(append(args, "--table", "he-parker", "--json")...); rows[0]["opens_a_day"] != 8.0 {
		t.Errorf("%v", rows[0])
	}
	lost := func(window string) any {
		return c.lines(append(args, "--policies", "uniform", "--budgets", "1", "--weeks", "1", "--json", "--window", window)...)[0]["lost"]
	}
	if few, many := lost("1"), lost("15"); few == 0.0 || many != 0.0 {
		t.Errorf("%v posts lost with a window of 1, %v with one of 15", few, many)
	}
	for want, line := range map[string]string{
		"there is no table":             "--table best",
		"too short":                     "--table window",
		"which sets them":               "--table sia --budgets 1,2",
		"--policies":                    "--table sia --policies exact",
		"--frozen cannot be used":       "--table sia --frozen",
		"1 to 520 weeks":                "--table sia --weeks -1",
		"--picture cannot be used":      "--table sia --picture x.png",
		"two budgets":                   "--budgets 4 --picture x.png",
		"of 0":                          "--budgets 0,4 --picture x.png",
		"uniform":                       "--policies exact,sia --picture x.png",
		"is a folder":                   "--picture .",
		"no such file or directory":     "--picture no/folder/x.png",
		"table he-parker needs 6 users": "--table he-parker --sample 5",
		"--half must be 1 or 2, not 3":  "--half 3",
		"the warm-up must be":           "--table sia --warmup -1d",
		"cannot be used together":       "--laptop --awake awake.csv",
		"machines are always on":        "--table sia --laptop",
		"awake.csv:2: the span ends at": "--awake awake.csv",
		"cannot read":                   "--awake none.csv",
		"must be a day or more, not 1h": "--table he-parker --warmup 1h",
		"--window must be 1 or more":    "--window 0",
		"signs.csv:3: \"wave\" is not":  "--presence signs.csv",
		"cannot read ":                  "--presence none.csv",
		"whose people give no signs":    "--table sia --presence dealt",
		"0, 0.5 or 1, not 2":            "--readings 2",
		"0, 0.5 or 1, not all":          "--readings all",
		"counts every post alike":       "--table sia --readings 0.5",
		"1 to 100000 items, not 100001": "--window 100001",
	} {
		r := c.try(append(args, strings.Fields(line)...)...)
		lines := strings.Split(strings.TrimSpace(r.err), "\n")
		if r.code != 2 || r.out != "" || !strings.Contains(lines[len(lines)-1], want) || !strings.HasPrefix(lines[len(lines)-1], "kairos: ") {
			t.Errorf("lab %s: %+v, want exit 2 and %q", line, r, want)
		}
	}
}

// What is ready of what was read depends on who reads what, and nothing else does.
func TestLabReadings(t *testing.T) {
	c := newCommand(t)
	args := append(writeTraces(c, 2, 30), "--policies", "uniform", "--budgets", "4", "--weeks", "1", "--json")
	usual := c.lines(args...)
	for readings, same := range map[string]bool{"0": false, "0.5": false, "1": true} {
		for i, row := range c.lines(append(args, "--readings", readings)...) {
			if alike := row["ready_read"] == usual[i]["ready_read"]; alike != same {
				t.Errorf("with readings %s: %v ready of what was read, usually %v", readings, row["ready_read"], usual[i]["ready_read"])
			}
			row["ready_read"] = usual[i]["ready_read"]
			if !maps.Equal(row, usual[i]) {
				t.Errorf("with readings %s\n%v, usually\n%v", readings, row, usual[i])
			}
		}
	}
}

// Signs of presence are read or dealt, on laptops too, and change nothing for policies that don't heed them.
func TestLabPresence(t *testing.T) {
	readertest.SkipWithRace(t)
	c := newCommand(t)
	args := append(writeTraces(c, 2, 30), "--policies", "uniform,kairos", "--budgets", "4", "--weeks", "1", "--json")
	c.file("signs.csv", "user_id,unix_seconds,kind\nu0,1767571200,unlock\nu1,1767312000,plugged\nu1,1767312001,resume\n")
	for _, machines := range [][]string{nil, {"--laptop"}} {
		args := append(slices.Clip(args), machines...)
		usual := c.lines(args...)
		for _, presence := range []string{"dealt", "signs.csv"} {
			rows := c.lines(append(args, "--presence", presence)...)
			if len(rows) != 4 {
				t.Fatalf("--presence %s: %v", presence, rows)
			}
			for i, row := range rows {
				if row["policy"] == "uniform" && row["fetches"] == usual[i]["fetches"] && !maps.Equal(row, usual[i]) {
					t.Errorf("--presence %s: %v, without %v", presence, row, usual[i])
				}
			}
		}
	}
}

// Where machines sleep, policies are compared with what fetches every five minutes while they are awake.
func TestLabLaptop(t *testing.T) {
	readertest.SkipWithRace(t)
	c := newCommand(t)
	args := append(writeTraces(c, 2, 20), "--budgets", "4", "--weeks", "1", "--json")
	ready := map[string]float64{}
	for _, row := range c.lines(append(args, "--laptop")...) {
		ready[row["policy"].(string)] += row["ready"].(float64) / 2
	}
	for name, share := range ready {
		if share > ready["fixed-5"]+1 {
			t.Errorf("%s has %.1f %% ready, what fetches all the time %.1f %%", name, share, ready["fixed-5"])
		}
	}
	if ready["kairos"] == 0 || ready["uniform"] == 0 {
		t.Errorf("%v", ready)
	}
	if rows := c.lines(args...); slices.ContainsFunc(rows, func(r map[string]any) bool { return r["policy"] == "fixed-5" }) {
		t.Error("fixed-5 is replayed on machines that are always on")
	}
}

// he-parker learns once, as printed, unless --relearn is given.
func TestLabRelearn(t *testing.T) {
	readertest.SkipWithRace(t)
	c := newCommand(t)
	run := func(args ...string) string {
		return labOnSynthetic(c, append([]string{"--policies", "he-parker", "--budgets", "2", "--weeks", "1", "--sample", "1", "--json"}, args...)...)
	}
	if run() == run("--relearn", "96h") {
		t.Error("--relearn changes nothing")
	}
}

func TestLabPicture(t *testing.T) {
	readertest.SkipWithRace(t)
	c := newCommand(t)
	name := filepath.Join(c.cwd, "lab.png")
	args := append(writeTraces(c, 1, 30), "--weeks", "1", "--budgets", "1,4", "--policies", "uniform,exact,fixed-60", "--picture", "lab.png")
	plain := c.do(slices.Clip(args[:len(args)-2])...)
	if drawn := c.do(args...); drawn != plain {
		t.Errorf("with a picture the table is\n%s\nwithout\n%s", drawn, plain)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(text))
	if err != nil || img.Bounds().Dx() != 2100 {
		t.Errorf("%v %v", err, img.Bounds())
	}
	if rows := c.lines(append(args, "--json")...); len(rows) != 5 {
		t.Errorf("%v", rows)
	}
	if again, err := os.ReadFile(name); err != nil || !bytes.Equal(again, text) {
		t.Error("the same run draws a different picture")
	}
}

// One post and one access are enough for a replay, now or in the far future; a time before 1970 is
// refused with its line.
func TestLabOnOneEvent(t *testing.T) {
	readertest.SkipWithRace(t)
	c := newCommand(t)
	traces := func(post, access string) []string {
		return []string{"lab", "--weeks", "1", "--budgets", "1", "--policies", "all",
			"--posts", c.file("one.csv", "feed_id,unix_seconds\na,"+post+"\n"), "--access", c.file("access.csv", "user_id,unix_seconds\nu,"+access+"\n")}
	}
	for _, at := range []string{"1748865600", "4102444800"} {
		for _, r := range c.lines(append(traces(at, at), "--json")...) {
			if r["posts"] != 1.0 || r["ready"] != 100.0 || r["lost"] != 0.0 {
				t.Errorf("%v", r)
			}
		}
	}
	for want, at := range map[string][2]string{
		"one.csv:2: -5 is not a time":    {"-5", "1748865600"},
		"access.csv:2: -5 is not a time": {"1748865600", "-5"},
		"one.csv:2: 2100-01-01 00:00:00": {"4102444800", "1748865600"},
	} {
		if r := c.try(traces(at[0], at[1])...); r.code != 2 || r.out != "" || !strings.Contains(r.err, want) {
			t.Errorf("%v: %+v, want %q", at, r, want)
		}
	}
}
