package main

import (
	"context"
	"log"
)

// Log the same line without end while its decision is open.
func init() {
	zoo["writes_without_end"] = func(v *visit) {
		v.seated(context.Background()).nextDecision()
		for {
			log.Println("thinking")
		}
	}
}
