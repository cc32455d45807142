package prepare

// Cost is what pages and pictures of a feed take, in bytes: means that begin with those of the web and follow the feed.
type Cost struct {
	Page, Picture       float64 // means
	Pages, PicturesSeen float64 // that they are of; the latest count most
}

const (
	usualPage    = 110 << 10
	usualPicture = 90 << 10
	// remembered is about how many the means are of.
	remembered = 30
	// priorCount is how many the usual sizes count for.
	priorCount = 2
)

// SawPage adds the size of a page.
func (c *Cost) SawPage(bytes int64) { saw(&c.Page, &c.Pages, bytes) }

// SawPicture adds the size of a picture.
func (c *Cost) SawPicture(bytes int64) { saw(&c.Picture, &c.PicturesSeen, bytes) }

func saw(mean, n *float64, bytes int64) {
	*n = min(*n+1, remembered)
	*mean += (float64(max(0, bytes)) - *mean) / *n
}

// PageBytes is what a page is expected to take.
func (c *Cost) PageBytes() float64 { return expected(c.Page, c.Pages, usualPage) }

// PictureBytes is what a picture is expected to take.
func (c *Cost) PictureBytes() float64 { return expected(c.Picture, c.PicturesSeen, usualPicture) }

func expected(mean, n, usual float64) float64 {
	mean, n = finite(mean), finite(n)
	return (priorCount*usual + n*mean) / (priorCount + n)
}
