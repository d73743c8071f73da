//go:build ignore

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"
)

const api = "http://127.0.0.1:8080/api/v1"

type task struct {
	ID       string  `json:"id,omitempty"`
	Name     string  `json:"name"`
	Priority *string `json:"priority"`
}

var client = http.Client{Timeout: 30 * time.Second}

func call(method, path string, body, answer any) error {
	sent, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(method, api+path, bytes.NewReader(sent))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("WORKSPACE_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 400 {
		var fault struct{ Error, Message string }
		_ = json.NewDecoder(response.Body).Decode(&fault)
		return fmt.Errorf("%s %s: %s", response.Status, fault.Error, fault.Message)
	}
	return json.NewDecoder(response.Body).Decode(answer)
}

func main() {
	high := "high"
	var created task
	if err := call(http.MethodPost, "/tasks", task{Name: "Send the revised offer", Priority: &high}, &created); err != nil {
		log.Fatal(err)
	}
	fmt.Println("created", created.ID)

	var page struct {
		Data  []task
		Count int
	}
	if err := call(http.MethodGet, "/tasks?limit=10", nil, &page); err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Count, "tasks")
	for _, t := range page.Data {
		fmt.Println(t.Name, *t.Priority)
	}
}
