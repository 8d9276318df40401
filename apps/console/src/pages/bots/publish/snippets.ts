export const LANGUAGES = ['curl', 'python', 'javascript', 'openai'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Programs that ask a published bot a question. They run as they are, with a key in place of YOUR_API_KEY. */
export const SNIPPETS: Readonly<Record<Language, (endpoint: string) => string>> = {
  curl: (endpoint) => `curl --no-buffer ${endpoint}/conversation \\
  -H 'x-api-key: YOUR_API_KEY' \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: text/event-stream' \\
  -d '{"message": {"content": [{"content_type": "text", "body": "Hello"}]}}'
`,
  python: (endpoint) => `import time
import requests

endpoint = "${endpoint}"
headers = {"x-api-key": "YOUR_API_KEY"}

message = {"content": [{"content_type": "text", "body": "Hello"}]}
accepted = requests.post(f"{endpoint}/conversation", headers=headers, json={"message": message})
accepted.raise_for_status()
ids = accepted.json()

while True:
    answer = requests.get(f"{endpoint}/conversation/{ids['conversation_id']}/{ids['message_id']}", headers=headers)
    answer.raise_for_status()
    if answer.status_code == 200:
        break
    time.sleep(float(answer.headers.get("Retry-After", "1")))

print(answer.json()["message"]["content"][-1]["body"])
`,
  javascript: (endpoint) => `const endpoint = '${endpoint}';
const headers = { 'x-api-key': 'YOUR_API_KEY', 'Content-Type': 'application/json' };

const message = { content: [{ content_type: 'text', body: 'Hello' }] };
const accepted = await fetch(endpoint + '/conversation', { method: 'POST', headers, body: JSON.stringify({ message }) });
if (!accepted.ok) throw new Error(await accepted.text());
const { conversation_id, message_id } = await accepted.json();

let answer;
do {
  await new Promise((resolve) => setTimeout(resolve, 500));
  answer = await fetch(\`\${endpoint}/conversation/\${conversation_id}/\${message_id}\`, { headers });
} while (answer.status === 202);
if (!answer.ok) throw new Error(await answer.text());

console.log((await answer.json()).message.content.at(-1).body);
`,
  openai: (endpoint) => `from openai import OpenAI

client = OpenAI(base_url="${endpoint}/v1", api_key="YOUR_API_KEY")
model = client.models.list().data[0].id

stream = client.chat.completions.create(
    model=model,
    messages=[{"role": "user", "content": "Hello"}],
    stream=True,
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)
`,
};
