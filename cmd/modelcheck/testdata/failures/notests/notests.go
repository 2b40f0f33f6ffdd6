// Package notests has none.
package notests
