import { describe, expect, it } from '@jest/globals';
import { hostileBodies, hostileSizes, sharedProduct } from '@parlance/testing';
import { environment, makeUser } from './deployment.ts';

const { url } = await sharedProduct(environment);
const { token } = await makeUser(url, 'hostile');

/** A short version of `node faults/run.mjs hostile`, which sends larger bodies, and measures the waiting time of other requests and the memory. */
describe('hostile bodies', () => {
  const [small = 0] = hostileSizes;

  let keys = 0;
  const post = async (path: string, body: Buffer, headers: Record<string, string>) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': `hostile-${++keys}`, ...headers },
      body: new Uint8Array(body),
    });
    const text = await answer.text();
    return { status: answer.status, problem: answer.status < 400 ? null : (JSON.parse(text) as { code: string; errors?: unknown[] }) };
  };
  const requestOfOther = async () => (await fetch(`${url}/user/me`, { headers: { authorization: `Bearer ${token}` } })).status;

  it('are refused with the right error, while other requests are answered', async () => {
    const wrong: string[] = [];
    for (const { name, of } of hostileBodies) {
      const [{ status, problem }, meanwhile] = await Promise.all([
        post('/conversation', of(small), { authorization: `Bearer ${token}` }),
        requestOfOther(),
      ]);
      // Some of the bodies are unusual but valid messages.
      const isRefused = status === 400 && (problem?.errors?.length ?? 0) > 0;
      if (!isRefused && status !== 202) wrong.push(`${name}: ${status} ${problem?.code}`);
      if (meanwhile !== 200) wrong.push(`${name}: another user was answered with ${meanwhile}`);
    }
    expect(wrong).toEqual([]);
  });

  it('are not read without a credential', async () => {
    const answers = new Set<string>();
    for (const { of } of hostileBodies) {
      const { status } = await post('/scim/v2/Users', of(small), { 'content-type': 'application/scim+json' });
      answers.add(String(status));
    }
    expect([...answers]).toEqual(['401']);
  });

  it('do not stop the process', async () => expect(await requestOfOther()).toBe(200));
});
