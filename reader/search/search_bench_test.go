package search

import (
	"strings"
	"testing"
	"time"
)

func BenchmarkFold(b *testing.B) {
	for name, text := range map[string]string{
		"latin":   strings.Repeat("The quick brown fox jumps over the lazy dog, and again. ", 50),
		"accents": strings.Repeat("Élodie a dîné à la forêt près de l'île enchantée. ", 50),
		"chinese": strings.Repeat("敏捷的棕色狐狸跳过懒狗，然后又跳了一次。", 50),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Fold(text)
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		Parse(`river "big flood" -dam feed:"city news" is:unread after:2026-01-31 a1b OR c1d`, time.Time{})
	}
}
