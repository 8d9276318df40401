import { describe, expect, it } from '@jest/globals';
import { withReusedKeys } from './idempotency-keys.ts';

const URL = 'https://chat.example.org/conversation';

/** Sends requests with keys of their own. `answer` is the status of the next answer, or null for none. */
const setup = () => {
  const keys: (string | null)[] = [];
  const stored = new Map<string, string>();
  const tab = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  };
  let [answer, number] = [200 as number | null, 0];
  const load = () =>
    withReusedKeys(
      async (_, init) => {
        keys.push(new Headers(init?.headers).get('idempotency-key'));
        if (answer === null) throw new TypeError('Failed to fetch');
        return new Response(null, { status: answer });
      },
      () => tab,
    );
  let fetch = load();
  const send = (its: number | null, body = '{}', url = URL) => {
    answer = its;
    return fetch(url, { method: 'POST', body, headers: { 'idempotency-key': `key ${++number}` } }).catch(() => undefined);
  };
  const reload = () => void (fetch = load());
  return { send, keys, stored, reload };
};

describe('a request that creates something', () => {
  it.each([null, 429, 503])('has the same key after the answer %p, until there is another answer', async (none) => {
    const { send, keys } = setup();
    await send(none);
    await send(none);
    await send(201);
    await send(201);
    expect(keys).toEqual(['key 1', 'key 1', 'key 1', 'key 4']);
  });
  it('has the same key if it copies a bot', async () => {
    const { send, keys } = setup();
    for (const answer of [null, 201]) await send(answer, '{}', '/bot/01J0/duplicate');
    expect(keys).toEqual(['key 1', 'key 1']);
  });
  it('has another key after a refusal, for another body, and if responses contain secrets', async () => {
    const { send, keys } = setup();
    await send(409);
    await send(null);
    await send(201, '{"other":1}');
    await send(null, '{}', `${URL}/api-key`);
    await send(201, '{}', `${URL}/api-key`);
    expect(keys).toEqual(['key 1', 'key 2', 'key 3', 'key 4', 'key 5']);
  });
  it('has the same key after the page was reloaded', async () => {
    const { send, keys, reload } = setup();
    await send(null);
    reload();
    await send(201);
    await send(201);
    expect(keys).toEqual(['key 1', 'key 1', 'key 3']);
  });
  it('is stored without its text', async () => {
    const { send, keys, stored } = setup();
    for (const body of ['one text', 'own text', 'one txet']) await send(null, body);
    expect(keys).toEqual(['key 1', 'key 2', 'key 3']);
    expect([...stored.values()].join()).not.toContain('text');
  });
  it('is forgotten when several other requests had no answer', async () => {
    const { send, keys } = setup();
    for (const body of ['a', 'b', 'c', 'd', 'e', 'a']) await send(null, body);
    expect(keys.at(-1)).toBe('key 6');
  });
});
