package imaging

import (
	"encoding/base64"
	"net/url"
	"strings"
)

// DataURL returns the bytes that a data: URL holds (RFC 2397), with or without
// the white space and padding that people lose or add; ok tells whether address
// is such a URL at all. Errors: *Error.
func DataURL(address string) (body []byte, ok bool, err error) {
	rest, ok := strings.CutPrefix(address, "data:")
	if !ok {
		return nil, false, nil
	}
	mediaType, data, found := strings.Cut(rest, ",")
	if !found {
		return nil, true, &Error{Code: Broken, Detail: "a data URL without a comma"}
	}
	text, err := url.PathUnescape(data)
	if err != nil {
		return nil, true, broken(err)
	}
	if !strings.HasSuffix(mediaType, ";base64") {
		return []byte(text), true, nil
	}
	text = strings.TrimRight(strings.Join(strings.Fields(text), ""), "=")
	body, err = base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil, true, broken(err)
	}
	return body, true, nil
}
