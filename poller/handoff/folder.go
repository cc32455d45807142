package handoff

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"strings"
	"syscall"

	"kairos/reader"
	"kairos/reader/content"
)

// folder writes each article as a Markdown file. Everything happens below its path, whatever links lie there (os.Root), and no file
// is replaced: a file of Kairos belongs to its reader, who may have written notes into it, once it is there.
type folder struct {
	path     string
	options  Options
	pictures func(address string) ([]byte, bool)
}

const (
	maxSameName = 100      // files of one title
	headSize    = 64 << 10 // bytes of a file in which its front matter is looked for
	picturesIn  = "attachments"
	maxPictures = 50 // of one article
)

// Check implements Receiver: the folder is there and can be written to.
func (f *folder) Check(context.Context) error {
	root, err := f.openRoot()
	if err != nil {
		return f.fault(err)
	}
	defer root.Close()
	const name = ".kairos-check.part"
	err = f.writeNew(root, name, nil)
	return f.fault(errors.Join(err, root.Remove(name)))
}

func (f *folder) openRoot() (*os.Root, error) {
	info, err := os.Stat(f.path)
	if err == nil && !info.IsDir() {
		err = &Error{Code: Missing, Path: f.path}
	}
	if err != nil {
		return nil, err
	}
	return os.OpenRoot(f.path)
}

// Deliver implements Receiver.
func (f *folder) Deliver(ctx context.Context, a Article) error {
	root, err := f.openRoot()
	if err != nil {
		return f.fault(err)
	}
	defer root.Close()
	beside := ".kairos-" + a.identity() + ".part"
	name, there, err := f.freeName(root, a)
	if there {
		root.Remove(beside) //nolint:errcheck // an attempt that was interrupted may have left it
	}
	if err != nil || there {
		return f.fault(err)
	}
	text, err := f.compose(ctx, root, a)
	if err != nil {
		return f.fault(err)
	}
	return f.fault(f.write(root, name, beside, text))
}

// freeName returns a name that no file has, or that the article is already complete.
func (f *folder) freeName(root *os.Root, a Article) (name string, there bool, err error) {
	base := fileName(a.Title)
	for n := 1; n <= maxSameName; n++ {
		name = numbered(base, n) + ending
		info, err := root.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			return name, false, nil
		}
		if err != nil {
			return "", false, err
		}
		if !info.Mode().IsRegular() {
			continue
		}
		head, err := readHead(root, name)
		if err != nil {
			return "", false, err
		}
		if a.isOf(head) {
			return name, true, nil
		}
	}
	return "", false, &Error{Code: NameTaken, Path: f.path}
}

func readHead(root *os.Root, name string) ([]byte, error) {
	file, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, headSize))
}

// compose returns the content of an article's file. Pictures that cannot be saved keep their addresses.
func (f *folder) compose(ctx context.Context, root *os.Root, a Article) ([]byte, error) {
	front, err := a.frontMatter().encode()
	if err != nil {
		return nil, fmt.Errorf("write the front matter: %w", err)
	}
	body := content.Parse(a.HTML)
	if f.options.Pictures && f.pictures != nil {
		if err := f.savePictures(ctx, root, a, body); err != nil {
			return nil, err
		}
	}
	var text bytes.Buffer
	text.Write(front)
	if markdown := body.Markdown(); markdown != "" {
		text.WriteString("\n" + markdown)
	}
	for _, e := range a.Enclosures {
		fmt.Fprintf(&text, "\n<%s>\n", strings.NewReplacer("<", "%3C", ">", "%3E", " ", "%20", "\n", "", "\r", "").Replace(e.URL))
	}
	return text.Bytes(), nil
}

// pictureEndings are the endings of the kinds of pictures that are saved.
var pictureEndings = map[string]string{"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp", "image/bmp": ".bmp"}

// savePictures saves the pictures of an article that are here already, and has the text show these.
func (f *folder) savePictures(ctx context.Context, root *os.Root, a Article, body content.Document) error {
	saved := 0
	for i := range body.Blocks {
		image := &body.Blocks[i].Image
		if body.Blocks[i].Kind != content.Picture || image.URL == "" || saved == maxPictures {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		picture, there := f.pictures(image.URL)
		suffix := pictureEndings[http.DetectContentType(picture)]
		if !there || suffix == "" {
			continue
		}
		if err := root.Mkdir(picturesIn, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		saved++
		name := path.Join(picturesIn, fmt.Sprintf("%s-%d%s", a.identity(), saved, suffix))
		if _, err := root.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			err = f.write(root, name, name+".part", picture)
			if err != nil {
				return err
			}
		} else if err != nil {
			return err
		}
		image.URL = name
	}
	return nil
}

// write writes a file whole or not at all, and replaces none: it is written beside and then gets its name.
func (f *folder) write(root *os.Root, name, beside string, text []byte) error {
	if err := f.writeNew(root, beside, text); err != nil {
		return err
	}
	err := root.Link(beside, name)
	if err != nil && !errors.Is(err, fs.ErrExist) { // a file system without links
		if _, missing := root.Lstat(name); errors.Is(missing, fs.ErrNotExist) {
			return root.Rename(beside, name)
		}
	}
	return errors.Join(err, root.Remove(beside))
}

// writeNew writes a file that is not there. What an attempt that was interrupted has left goes first.
func (f *folder) writeNew(root *os.Root, name string, text []byte) error {
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, root.Remove(name))
	}
	return nil
}

// fault is what an error of the file system means for the destination.
func (f *folder) fault(err error) error {
	var known *Error
	switch {
	case err == nil, errors.As(err, &known), errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, fs.ErrNotExist), isNoFolder(err):
		return &Error{Missing, nil, f.path, err}
	case reader.IsFull(err):
		return &Error{Full, nil, f.path, err}
	case errors.Is(err, fs.ErrPermission), isReadOnly(err):
		return &Error{Denied, nil, f.path, err}
	}
	return &Error{Unusable, nil, f.path, err}
}

func isNoFolder(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

func isReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }
