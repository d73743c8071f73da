import json
import os
import urllib.error
import urllib.request

API = "http://127.0.0.1:8080/api/v1"


def call(method, path, body=None):
    request = urllib.request.Request(
        API + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["WORKSPACE_KEY"],
            "Content-Type": "application/json",
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        fault = json.load(error)
        raise SystemExit(f"{error.code} {fault['error']}: {fault['message']}")


task = call("POST", "/tasks", {"name": "Send the revised offer", "priority": "high"})
print("created", task["id"])

page = call("GET", "/tasks?limit=10")
print(page["count"], "tasks")
for task in page["data"]:
    print(task["name"], task["priority"])
