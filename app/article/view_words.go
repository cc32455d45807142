package article

// FindWords marks words in the whole article and goes to the first place that has them; "" removes the marks.
func (v *View) FindWords(words string) {
	v.page.whenWhole(func() {
		v.page.finder = finder{page: v.page}
		v.page.finder.find(words)
	})
}

// NextWords goes on to the next place with the words of FindWords. It reports whether there is one.
func (v *View) NextWords() bool {
	f := &v.page.finder
	if f.current+1 >= len(f.matches) {
		return false
	}
	f.next(1)
	return true
}

// Top is how far the article is scrolled.
func (v *View) Top() float32 {
	top, _ := v.page.frame.viewport()
	return top
}
