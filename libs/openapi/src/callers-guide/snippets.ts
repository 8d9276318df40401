/** A program that sends the published bot a question and prints the reply. The specs run each program. */
export interface Snippet {
  readonly id: 'curl' | 'curl-stream' | 'fetch' | 'client' | 'python' | 'openai-python' | 'openai-javascript';
  readonly title: string;
  readonly language: 'sh' | 'js' | 'python';
  readonly code: string;
}

type Make = (endpoint: string) => Snippet;

export const curl: Make = (endpoint) => ({
  id: 'curl',
  title: 'curl',
  language: 'sh',
  code: `ENDPOINT=${inShell(endpoint)}

accepted=$(curl -sS --fail-with-body "$ENDPOINT/conversation" \\
  -H "x-api-key: $PARLANCE_API_KEY" -H 'content-type: application/json' \\
  -d '{"message": {"content": [{"content_type": "text", "body": "What can you do?"}]}}') || { echo "$accepted"; exit 1; }
conversation=$(echo "$accepted" | sed -E 's/.*"conversation_id": ?"([^"]+)".*/\\1/')
message=$(echo "$accepted" | sed -E 's/.*"message_id": ?"([^"]+)".*/\\1/')

delay=1
while :; do
  status=$(curl -sS -o reply.json -w '%{http_code}' "$ENDPOINT/conversation/$conversation/$message" -H "x-api-key: $PARLANCE_API_KEY")
  case $status in
    202 | 429 | 503) sleep $delay ;;
    *) break ;;
  esac
  delay=$((delay < 8 ? delay * 2 : 8))
done
cat reply.json`,
});

export const curlStream: Make = (endpoint) => ({
  id: 'curl-stream',
  title: 'curl, streaming',
  language: 'sh',
  code: `curl -sS --no-buffer ${inShell(`${endpoint}/conversation`)} \\
  -H "x-api-key: $PARLANCE_API_KEY" -H 'content-type: application/json' -H 'accept: text/event-stream' \\
  -d '{"message": {"content": [{"content_type": "text", "body": "What can you do?"}]}}'`,
});

export const javascript: Make = (endpoint) => ({
  id: 'fetch',
  title: 'JavaScript',
  language: 'js',
  code: `const endpoint = ${JSON.stringify(endpoint)};
const headers = { 'x-api-key': process.env.PARLANCE_API_KEY, 'content-type': 'application/json' };

const accepted = await fetch(\`\${endpoint}/conversation\`, {
  method: 'POST',
  headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
  body: JSON.stringify({ message: { content: [{ content_type: 'text', body: 'What can you do?' }] } }),
});
if (!accepted.ok) throw new Error(await accepted.text());
const { conversation_id, message_id } = await accepted.json();

let answer;
for (let delay = 500; ; delay = Math.min(delay * 2, 8_000)) {
  answer = await fetch(\`\${endpoint}/conversation/\${conversation_id}/\${message_id}\`, { headers });
  if (![202, 429, 503].includes(answer.status)) break;
  const seconds = Number(answer.headers.get('retry-after') ?? 0);
  await new Promise((resolve) => setTimeout(resolve, Math.max(delay, seconds * 1_000)));
}
if (!answer.ok) throw new Error(await answer.text());
const { status, message, error } = await answer.json();
if (status !== 'completed') throw new Error(error.message);
console.log(message.content.filter(({ content_type }) => content_type === 'text').map(({ body }) => body).join(''));`,
});

export const client: Make = (endpoint) => ({
  id: 'client',
  title: 'TypeScript, with @parlance/client',
  language: 'js',
  code: `import { PublishedBot } from '@parlance/client';

const bot = new PublishedBot({ endpoint: ${JSON.stringify(endpoint)}, apiKey: process.env.PARLANCE_API_KEY });

const message = { content: [{ content_type: 'text', body: 'What can you do?' }] };
for await (const text of bot.stream({ message }).text()) process.stdout.write(text);`,
});

export const python: Make = (endpoint) => ({
  id: 'python',
  title: 'Python',
  language: 'python',
  code: `import os
import time
import uuid

import requests

endpoint = ${JSON.stringify(endpoint)}
session = requests.Session()
session.headers["x-api-key"] = os.environ["PARLANCE_API_KEY"]

accepted = session.post(
    f"{endpoint}/conversation",
    headers={"idempotency-key": str(uuid.uuid4())},
    json={"message": {"content": [{"content_type": "text", "body": "What can you do?"}]}},
    timeout=40,
)
accepted.raise_for_status()
ids = accepted.json()

delay = 0.5
while True:
    answer = session.get(f"{endpoint}/conversation/{ids['conversation_id']}/{ids['message_id']}", timeout=40)
    if answer.status_code not in (202, 429, 503):
        break
    time.sleep(max(delay, float(answer.headers.get("retry-after", 0))))
    delay = min(delay * 2, 8)
answer.raise_for_status()
reply = answer.json()
if reply["status"] != "completed":
    raise SystemExit(reply["error"]["message"])
print("".join(part["body"] for part in reply["message"]["content"] if part["content_type"] == "text"))`,
});

export const openAiPython: Make = (endpoint) => ({
  id: 'openai-python',
  title: 'Python, with the OpenAI SDK',
  language: 'python',
  code: `import os

from openai import OpenAI

client = OpenAI(base_url=${JSON.stringify(`${endpoint}/v1`)}, api_key=os.environ["PARLANCE_API_KEY"])
model = client.models.list().data[0].id
reply = client.chat.completions.create(model=model, messages=[{"role": "user", "content": "What can you do?"}])
print(reply.choices[0].message.content)`,
});

export const openAiJavascript: Make = (endpoint) => ({
  id: 'openai-javascript',
  title: 'JavaScript, with the OpenAI SDK',
  language: 'js',
  code: `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: ${JSON.stringify(`${endpoint}/v1`)}, apiKey: process.env.PARLANCE_API_KEY });
const [{ id: model }] = (await client.models.list()).data;
const reply = await client.chat.completions.create({ model, messages: [{ role: 'user', content: 'What can you do?' }] });
console.log(reply.choices[0].message.content);`,
});

const inShell = (value: string): string => `'${value.replaceAll("'", `'\\''`)}'`;
