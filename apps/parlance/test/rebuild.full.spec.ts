import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { freePort, oneProcess, type Product } from '@parlance/testing';
import { admin, environment } from './deployment.ts';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

// Each part starts the product or a command or two.
jest.setTimeout(180_000);

let product: Product;

/** A command of the command line, in the configuration of the product. */
function parlance(...words: string[]): Promise<{ code: number; out: string; error: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...words], { env: { ...process.env, ...env }, cwd: base }, (failure, out, error) =>
      resolve({ code: failure ? Number(failure.code) : 0, out, error }),
    );
  });
}

async function ask(path: string, body?: object): Promise<Record<string, unknown>> {
  const json = { 'content-type': 'application/json' };
  const signIn = await fetch(`${product.url}/auth/sign-in`, { method: 'POST', headers: json, body: JSON.stringify(admin) });
  const { access_token: token } = (await signIn.json()) as { access_token: string };
  const answer = await fetch(`${product.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, ...(body && json) },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.ok).toBe(true);
  return (await answer.json()) as Record<string, unknown>;
}

const generations = (service: string) => {
  const file = new DatabaseSync(join(base, 'data', `${service}.db`), { readOnly: true });
  try {
    return file
      .prepare("SELECT id FROM read_model_progress WHERE line = '' ORDER BY id")
      .all()
      .map((row) => String(row['id']));
  } finally {
    file.close();
  }
};

const base = mkdtempSync(join(tmpdir(), 'parlance-rebuild-'));
const env = {
  ...environment,
  PARLANCE_PORT: String(await freePort()),
  PARLANCE_DATA_DIR: join(base, 'data'),
  PARLANCE_LOG_LEVEL: 'warn',
};
product = await oneProcess(env, { directory: base });
afterAll(async () => {
  await product.stop();
  rmSync(base, { recursive: true, force: true, maxRetries: 3 });
});

/** The tests tell one story, in this order. */
describe('parlance replay', () => {
  it('rebuilds one read model of the running product, which answers meanwhile and afterwards', async () => {
    const { id } = await ask('/bot', { title: 'Early' });
    const before = generations('bots').filter((each) => each.startsWith('bots@'));
    const { code, out, error } = await parlance('replay', '--service', 'bots', '--projection', 'bots');
    expect([code, error]).toEqual([0, '']);
    expect(out).toMatch(/^bots: bots +\d+ events read in \d+\.\d s, the new rows are served\n$/);
    expect(generations('bots').filter((each) => each.startsWith('bots@'))).toEqual(before.map((each) => `${each}.1`));
    expect((await ask(`/bot/${String(id)}`))['title']).toBe('Early');
    const late = await ask('/bot', { title: 'Late' });
    expect((await ask(`/bot/${String(late['id'])}`))['title']).toBe('Late');
  });

  it('rebuilds all read models of all services, with those of other services’ events', async () => {
    const { code, out, error } = await parlance('replay');
    expect([code, error]).toEqual([0, '']);
    expect(out).toContain('identity: users');
    expect(out).toContain('bots: bots ');
    expect(out).toContain('analytics: spend ');
    expect(out).toContain('analytics: audit-log ');
    expect(((await ask('/admin/audit-logs'))['audit_logs'] as unknown[]).length).toBeGreaterThan(0);
  });

  it('lists the existing names if a name is unknown, and changes nothing', async () => {
    const before = generations('analytics');
    expect(await parlance('replay', '--service', 'analytics', '--projection', 'none')).toMatchObject({
      code: 1,
      error: expect.stringMatching(/there is no projection none of analytics; there are: audit-log, .*spend/),
    });
    expect(await parlance('replay', '--service', 'none')).toMatchObject({ code: 1, error: expect.stringContaining('no service none') });
    expect(await parlance('replay', '--projection', 'spend')).toMatchObject({
      code: 1,
      error: expect.stringContaining('name the service of the read model'),
    });
    expect(await parlance('replay', '--from', '4')).toMatchObject({ code: 1, error: expect.stringContaining('--from') });
    expect(generations('analytics')).toEqual(before);
  });

  it('rebuilds in its own process while the product is stopped, and the rows are those of the events', async () => {
    await product.stop();
    const { code, out, error } = await parlance('replay', '--service', 'analytics', '--projection', 'audit-log');
    expect([code, error]).toEqual([0, '']);
    expect(out).toContain('the new rows are served');
    expect(generations('analytics')).toContainEqual(expect.stringMatching(/^audit-log@v\d+\.2$/));
    const verified = await parlance('verify');
    expect([verified.code, verified.error]).toEqual([0, '']);
    expect(verified.out).toMatch(/analytics: audit-log +\d+ rows, equal to a replay/);
    product = await oneProcess(env, { directory: base });
    expect(((await ask('/admin/audit-logs'))['audit_logs'] as unknown[]).length).toBeGreaterThan(0);
  });
});
