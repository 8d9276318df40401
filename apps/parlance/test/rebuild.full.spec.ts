import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import { ownInstallation } from './own-installation.ts';

// Each test starts the product, or one or two commands.
const { data, product, parlance, ...installation } = await ownInstallation();

async function ask(path: string, body?: object) {
  const answer = await installation.ask(path, body);
  expect([200, 201]).toContain(answer.status);
  return answer.body;
}

const generations = (service: string) => {
  const file = new DatabaseSync(join(data, `${service}.db`), { readOnly: true });
  try {
    return file
      .prepare("SELECT id FROM read_model_progress WHERE line = '' ORDER BY id")
      .all()
      .map((row) => String(row['id']));
  } finally {
    file.close();
  }
};

/** The tests tell one story, in this order. */
describe('parlance replay', () => {
  it('rebuilds one read model of the running product, which answers during and after the rebuild', async () => {
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

  it('rebuilds all read models of all services, also those built from other services’ events', async () => {
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

  it('rebuilds in its own process if the product is stopped, and the rows match the events', async () => {
    await product.stop();
    const { code, out, error } = await parlance('replay', '--service', 'analytics', '--projection', 'audit-log');
    expect([code, error]).toEqual([0, '']);
    expect(out).toContain('the new rows are served');
    expect(generations('analytics')).toContainEqual(expect.stringMatching(/^audit-log@v\d+\.2$/));
    const verified = await parlance('verify');
    expect([verified.code, verified.error]).toEqual([0, '']);
    expect(verified.out).toMatch(/analytics: audit-log +\d+ rows, equal to a replay/);
    await product.restart();
    expect(((await ask('/admin/audit-logs'))['audit_logs'] as unknown[]).length).toBeGreaterThan(0);
  });
});
