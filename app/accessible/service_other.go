//go:build !linux && !(windows && amd64)

package accessible

// Service does nothing here yet: README.md says what NSAccessibility needs.
type Service struct{}

// Start never calls app.
func Start(_ string, _ App) *Service { return &Service{} }

// Update does nothing.
func (s *Service) Update(_ *Tree) {}

// Announce does nothing.
func (s *Service) Announce(_ string, _ Politeness) {}

// Close does nothing.
func (s *Service) Close() {}
