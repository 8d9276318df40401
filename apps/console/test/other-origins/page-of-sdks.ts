import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import OpenAI, { APIError } from 'openai';

/** A published bot as a page calls it. */
export interface Called {
  readonly endpoint: string;
  readonly key: string;
}

/** The parts of a refusal that the page can read. */
export interface Refused {
  readonly status: number | undefined;
  readonly code: string | null | undefined;
  readonly requestId: string | null | undefined;
  readonly headers: Readonly<Record<string, string | null>>;
}

const MODEL = 'scripted';
const READ = ['x-request-id', 'retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const read = (headers: Headers) => Object.fromEntries(READ.map((name) => [name, headers.get(name)]));

const openai = ({ endpoint, key }: Called) =>
  new OpenAI({ apiKey: key, baseURL: `${endpoint}/v1`, dangerouslyAllowBrowser: true, maxRetries: 0 });
const question = (content: string) => ({ model: MODEL, messages: [{ role: 'user' as const, content }] });

async function answer(called: Called) {
  const { data, response } = await openai(called).chat.completions.create(question('Is it?')).withResponse();
  return { text: data.choices[0]!.message.content, headers: read(response.headers) };
}

/** A stream of a model. */
async function model(called: Called) {
  const { data, response } = await openai(called)
    .chat.completions.create({ ...question('Is it?'), stream: true })
    .withResponse();
  let text = '';
  for await (const { choices } of data) text += choices[0]?.delta.content ?? '';
  const names = ['x-parlance-model', 'x-ratelimit-remaining-requests'];
  return { text, headers: Object.fromEntries(names.map((name) => [name, response.headers.get(name)])) };
}

async function stream(called: Called): Promise<readonly string[]> {
  const parts: string[] = [];
  const chunks = await openai(called).chat.completions.create({ ...question('Is it?'), stream: true });
  for await (const chunk of chunks) {
    const text = chunk.choices[0]?.delta.content;
    if (text) parts.push(text);
  }
  return parts;
}

async function refusal(called: Called): Promise<Refused> {
  try {
    await openai(called).chat.completions.create(question('Is it?'));
  } catch (error) {
    if (!(error instanceof APIError)) throw error;
    const { status, code, requestID, headers } = error as APIError<number, Headers>;
    return { status, code, requestId: requestID, headers: read(headers) };
  }
  throw new Error('The call was not refused.');
}

/** Resolves when the reply has ended. The spec ends it once progress was reported. */
async function tool({ endpoint, key }: Called, progressed: (progress: unknown) => void) {
  const client = new Client({ name: 'page', version: '1' });
  const headers = { 'x-api-key': key };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${endpoint}/mcp`), { requestInit: { headers } }));
  const server = client.getServerVersion()?.name;
  const { structuredContent } = await client.callTool({ name: 'ask', arguments: { question: 'Is it?' } }, { onprogress: progressed });
  await client.close();
  return { server, structuredContent };
}

/** The headers that Anthropic's SDK sends, which are not CORS-safelisted. */
async function withHeadersOfAnthropic({ endpoint, key }: Called): Promise<number> {
  const headers = {
    'x-api-key': key,
    'content-type': 'application/json',
    'anthropic-version': '2023-06-01',
    'anthropic-beta': 'files-api',
    'anthropic-dangerous-direct-browser-access': 'true',
    'x-stainless-helper-method': 'stream',
    'x-stainless-runtime': 'browser:chrome',
  };
  return (await fetch(`${endpoint}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(question('Is it?')) })).status;
}

const calls = { answer, model, stream, refusal, tool, withHeadersOfAnthropic };
export type Calls = typeof calls;
Object.assign(globalThis, { calls });
