import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { oneProcess, patience, type Product, waitFor } from '@parlance/testing';
import { admin, environment } from './deployment.ts';

/** Bots that are being published when the process is killed. */
const BOTS = 40;
/** A lease is 15 s. */
const SETTLED_WITHIN = patience(90_000);

let product: Product;
let token = '';

const ask = async (method: string, path: string, body?: object) => {
  const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(`${product.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  // The test looks into answers of every form.
  const read: any = text === '' ? null : JSON.parse(text); // oxlint-disable-line no-explicit-any
  return { status: answer.status, body: read };
};

beforeAll(async () => {
  product = await oneProcess(environment);
  token = (await ask('POST', '/auth/sign-in', admin)).body.access_token;
});
afterAll(() => product?.stop());

it(
  'publications end by themselves after their process was killed, and no bot is left half published',
  async () => {
    const bots: string[] = [];
    for (let n = 0; n < BOTS; n++) {
      const { id } = (await ask('POST', '/bot', { title: 'Buoy' })).body;
      await ask('PATCH', `/bot/${id}/visibility`, { target_shared_scope: 'all' });
      bots.push(id);
    }
    const accepted = new Set<string>();
    const waiting = [...bots];
    let killed: Promise<void> | undefined;
    const publishOneByOne = async () => {
      while (!killed) {
        const id = waiting.pop()!;
        const { status } = await ask('POST', `/bot/${id}/publication`, { allowed_origins: ['*'] });
        if (status === 202) accepted.add(id);
        if (accepted.size >= BOTS / 4) await (killed ??= product.kill());
      }
    };
    // Requests that are answered together cannot end before the kill when there are always some that were not sent.
    await Promise.all(Array.from({ length: BOTS / 4 }, () => publishOneByOne().catch(() => undefined)));
    await killed;
    expect(waiting.length).toBeGreaterThan(0);
    await product.restart();
    for (const id of bots) {
      let publication = await ask('GET', `/bot/${id}/publication`);
      const isOver = async () => {
        publication = await ask('GET', `/bot/${id}/publication`);
        return publication.status === 404 ? publication.body.code === 'not_published' : publication.body.codebuild_status !== 'IN_PROGRESS';
      };
      await waitFor(isOver, { what: 'the publication to end', timeout: SETTLED_WITHIN });
      const isPublished = publication.status === 200;
      if (isPublished) expect(publication.body.codebuild_status).toBe('SUCCEEDED');
      // An accepted publication is never lost. Others may have been withdrawn.
      if (accepted.has(id)) expect(isPublished).toBe(true);
      expect((await ask('GET', `/bot/${id}`)).body.is_publication).toBe(isPublished);
      const unshared = await ask('PATCH', `/bot/${id}/visibility`, { target_shared_scope: 'private' });
      expect(unshared.body.code ?? unshared.status).toBe(isPublished ? 'bot_published' : 200);
    }
  },
  4 * SETTLED_WITHIN,
);
