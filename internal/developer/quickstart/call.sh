# Create a task. The answer is the record, with its id.
curl -sS --fail-with-body http://127.0.0.1:8080/api/v1/tasks \
  -H "Authorization: Bearer $WORKSPACE_KEY" \
  -H 'Content-Type: application/json' \
  -d '{"name": "Send the revised offer", "priority": "high"}'

# The newest tasks, and how many there are in all.
curl -sS --fail-with-body 'http://127.0.0.1:8080/api/v1/tasks?limit=10' \
  -H "Authorization: Bearer $WORKSPACE_KEY"
