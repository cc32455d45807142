package content

import (
	"net/url"
	"testing"
)

func TestMailLink(t *testing.T) {
	for link, want := range map[string]string{
		"mailto:ann@example.org": "mailto:ann@example.org",
		"mailto:ann+news@example.org,bob@example.org?Subject=A%20%26%20B&body=one%0D%0Atwo+three": "mailto:ann%2Bnews@example.org,bob@example.org?subject=A%20%26%20B&body=one%0D%0Atwo%2Bthree",
		"mailto:?to=ann@example.org&subject=x":                                                    "mailto:?to=ann@example.org&subject=x",
		"mailto:a@b.c?attach=/etc/passwd&subject=x":                                               "mailto:a@b.c?subject=x",
		"mailto:a@b.c?subject=x&ATTACHMENT=file:///etc/passwd&%61ttach=/etc/passwd&bcc=d@e.f":     "mailto:a@b.c?subject=x",
		"mailto:a@b.c%3Fattach=/etc/passwd":                                                       "mailto:a@b.c%3Fattach%3D%2Fetc%2Fpasswd",
		"mailto:a@b.c?subject=x%26attach=/etc/passwd%0D%0ABcc:%20d@e.f":                           "mailto:a@b.c?subject=x%26attach%3D%2Fetc%2FpasswdBcc%3A%20d%40e.f",
		"mailto:%0Aa@b.c?subject=%":                                                               "mailto:a@b.c",
		"mailto://a@b.c/x?body=y":                                                                 "mailto:?body=y",
	} {
		u, err := url.Parse(link)
		if err != nil {
			t.Fatal(err)
		}
		if got := MailLink(u).String(); got != want {
			t.Errorf("%s is\n%s, want\n%s", link, got, want)
		}
	}
}
