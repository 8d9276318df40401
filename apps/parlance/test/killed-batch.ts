import { expect } from '@jest/globals';
import { type Product, waitFor } from '@parlance/testing';

const LINES = 1_000;

/** Requests of a batch end each once, although the process is killed while it sends them. `settled`: within this time after the start. */
export async function batchSurvivesKill(product: Product, session: () => Promise<string>, settled: number): Promise<void> {
  const json = { 'content-type': 'application/json' };
  const as = (token: string, more: object = {}) => ({ authorization: `Bearer ${token}`, ...more });
  const terms = { description: 'Batches', scopes: ['models'] };
  const made = await fetch(`${product.url}/user/me/tokens`, {
    method: 'POST',
    headers: as(await session(), json),
    body: JSON.stringify(terms),
  });
  const { token } = (await made.json()) as { token: string };
  const read = async <Answer>(path: string) => (await fetch(`${product.url}/v1/${path}`, { headers: as(token) })).json() as Promise<Answer>;

  const ids = Array.from({ length: LINES }, (_, number) => `request-${number}`);
  const line = (custom_id: string) => {
    const body = { model: 'local-extractive', messages: [{ role: 'user', content: `Hello ${custom_id}?` }] };
    return JSON.stringify({ custom_id, method: 'POST', url: '/v1/chat/completions', body });
  };
  const form = new FormData();
  form.set('purpose', 'batch');
  form.set('file', new Blob([ids.map(line).join('\n')]), 'requests.jsonl');
  const stored = (await (await fetch(`${product.url}/v1/files`, { method: 'POST', headers: as(token), body: form })).json()) as {
    id: string;
  };
  const request = { input_file_id: stored.id, endpoint: '/v1/chat/completions', completion_window: '24h' };
  const begun = await fetch(`${product.url}/v1/batches`, { method: 'POST', headers: as(token, json), body: JSON.stringify(request) });
  const { id } = (await begun.json()) as { id: string };

  interface Batch {
    readonly status: string;
    readonly request_counts: { readonly completed: number; readonly failed: number };
    readonly output_file_id: string;
  }
  const batch = () => read<Batch>(`batches/${id}`);
  await waitFor(async () => (await batch()).request_counts.completed > 0, { what: 'the first answers' });
  const before = await batch();
  expect(before.request_counts.completed).toBeLessThan(LINES);
  await product.kill();
  await product.restart();
  await waitFor(async () => (await batch()).status === 'completed', { what: 'the batch to be completed', timeout: settled });
  const { request_counts, output_file_id } = await batch();
  expect(request_counts).toMatchObject({ completed: LINES, failed: 0 });
  const output = await (await fetch(`${product.url}/v1/files/${output_file_id}/content`, { headers: as(token) })).text();
  const lines = output.trimEnd().split('\n');
  expect(lines.map((each) => (JSON.parse(each) as { custom_id: string }).custom_id)).toEqual(ids);

  // Besides the answers, only calls that were in flight are on record.
  const calls = new Map<string, string>();
  let next: string | null = null;
  do {
    const query: string = next === null ? '' : `&next_token=${encodeURIComponent(next)}`;
    const page = (await (await fetch(`${product.url}/user/me/calls?limit=1000${query}`, { headers: as(token) })).json()) as {
      calls: { call_id: string; status: string }[];
      next_token: string | null;
    };
    for (const { call_id, status } of page.calls) calls.set(call_id, status);
    next = page.next_token;
  } while (next !== null);
  const answered = lines.map((each) => (JSON.parse(each) as { response: { request_id: string } }).response.request_id);
  expect(answered.filter((each) => !calls.has(each))).toEqual([]);
  const others = [...calls].filter(([callId]) => !answered.includes(callId));
  expect(others.length).toBeLessThanOrEqual(4);
}
