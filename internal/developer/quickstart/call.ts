const api = "http://127.0.0.1:8080/api/v1";

interface Task {
  id: string;
  name: string;
  priority: string | null;
}

interface Page {
  data: Task[];
  count: number;
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(api + path, {
    method,
    headers: {
      "Authorization": `Bearer ${process.env.WORKSPACE_KEY}`,
      "Content-Type": "application/json",
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) {
    throw new Error(`${response.status} ${answer.error}: ${answer.message}`);
  }
  return answer as T;
}

const task = await call<Task>("POST", "/tasks", { name: "Send the revised offer", priority: "high" });
console.log("created", task.id);

const page = await call<Page>("GET", "/tasks?limit=10");
console.log(page.count, "tasks");
for (const { name, priority } of page.data) {
  console.log(name, priority);
}

export {};
