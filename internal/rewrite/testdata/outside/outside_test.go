// Package outside has tests that use what the scheduler does not control.
package outside

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"testing"
	"time"
)

func serve(stop chan os.Signal) {
	signal.Notify(stop, os.Interrupt)
	<-stop
}

// What could not be controlled is not reached.
func TestNotReached(t *testing.T) {
	if t.Name() == "" {
		serve(nil)
	}
	c := make(chan int)
	go func() { c <- 1 }()
	<-c
}

func TestNotify(t *testing.T) { serve(make(chan os.Signal, 1)) }

// The pipe's goroutines wait for one another where nobody sees them.
func TestNet(t *testing.T) {
	c, s := net.Pipe()
	var wg sync.WaitGroup
	wg.Go(func() { io.ReadAll(s) })
	c.Read(make([]byte, 1))
	wg.Wait()
}

// A process that ends soon is waited for.
func TestShortCommand(t *testing.T) {
	done := make(chan error)
	go func() { done <- exec.Command("go", "env", "GOOS").Run() }()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestLongCommand(t *testing.T) {
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	time.AfterFunc(time.Hour, func() { cmd.Process.Kill() })
	cmd.Wait()
}

// The server answers in goroutines of its own, outside; that its handler uses nothing of
// the run makes it work.
func TestServer(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "ok") }))
	defer s.Close()
	r, err := http.Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if text, err := io.ReadAll(r.Body); string(text) != "ok" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

func TestServerSends(t *testing.T) {
	asked := make(chan string, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { asked <- r.URL.Path }))
	defer s.Close()
	if r, err := http.Get(s.URL); err == nil {
		r.Body.Close()
	}
	<-asked
}
