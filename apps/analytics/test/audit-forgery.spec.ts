import { createHash, randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import request from 'supertest';
import { chained } from '../src/domain/audit-trail.ts';
import { withUnrecordedReads } from './unrecorded-reads.ts';

interface Recorded {
  event: { entry: Record<string, unknown> & { id: string }; previousHash: string; hash: string; proof?: string };
}
interface StoredCommit {
  position: number;
  version: number;
  events: Recorded[];
}

/** The possible changes of an attacker who has analytics.db, but not the key. */
class Forger {
  private readonly db: DatabaseSync;

  constructor(dataDir: string) {
    this.db = new DatabaseSync(join(dataDir, 'analytics.db'), { timeout: 5_000 });
  }

  commits(): StoredCommit[] {
    const rows = this.db.prepare("SELECT position, version, events FROM commits WHERE stream = 'audit-trail' ORDER BY version").all();
    return rows.map(({ position, version, events }) => ({
      position: position as number,
      version: version as number,
      events: JSON.parse(events as string) as Recorded[],
    }));
  }

  store(commits: readonly StoredCommit[]): void {
    const update = this.db.prepare('UPDATE commits SET events = ? WHERE position = ?');
    for (const { position, events } of commits) update.run(JSON.stringify(events), position);
  }

  run(sql: string): void {
    this.db.exec(sql);
  }

  /** Every table of audit log rows, whatever its version. */
  rows(sql: (table: string) => string): void {
    const tables = this.db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'audit_log@%'").all();
    if (tables.length === 0) throw new Error('there are no rows of the audit log');
    for (const { name } of tables) this.run(sql(`"${String(name)}"`));
  }

  close(): void {
    this.db.close();
  }
}

/** Recomputes the hashes from an entry on, as release 0.2 did: without a key. */
function rehash(commits: StoredCommit[], from: string, more: { dropProof: boolean }): void {
  let head = '';
  let begun = false;
  for (const { event } of commits.flatMap(({ events }) => events)) {
    begun ||= event.entry.id === from;
    if (begun) {
      event.previousHash = head;
      event.hash = createHash('sha256')
        .update(chained(head, event.entry as never))
        .digest('hex');
      if (more.dropProof) delete event.proof;
    }
    head = event.hash;
  }
}

const ids = ['e1', 'e2', 'e3', 'e4', 'e5'];

describe('an audit log whose database an attacker has changed', () => {
  let service: ServiceUnderTest;
  let forger: Forger;
  const get = (path: string) => request(service.server).get(path).set(service.as('root', 'Admin'));
  const verify = async () => (await get('/admin/audit-logs/verify')).body;
  const hear = (id: string) => service.hear('parlance.identity.user-enabled.v1', 'user-u', { user_id: 'u' }, id);
  const edited = (id: string) => {
    const commits = forger.commits();
    const found = commits.flatMap(({ events }) => events).find(({ event }) => event.entry.id === id)!;
    found.event.entry['user_id'] = 'somebody-else';
    return commits;
  };

  beforeEach(async () => {
    service = await serviceUnderTest(withUnrecordedReads);
    for (const id of ids) await hear(id);
    forger = new Forger(service.host.config.dataDir);
    // The service reads its commits a moment after the file has them.
    await waitFor(async () => (await verify()).checked === ids.length, { what: 'the entries' });
  });
  afterEach(async () => {
    forger.close();
    await service.stop();
  });

  it('is valid without changes', async () => {
    const last = forger.commits().at(-1)!.events.at(-1)!.event;
    expect(await verify()).toEqual({ valid: true, checked: 5, head: { id: 'e5', hash: last.hash }, first_broken: null });
  });
  it("names an entry that the database's owner rewrote, with the plain hash chain recomputed after it", async () => {
    const commits = edited('e3');
    rehash(commits, 'e3', { dropProof: false });
    forger.store(commits);
    expect(await verify()).toMatchObject({ valid: false, first_broken: 'e3' });
  });
  it('names an entry that was rewritten as one of release 0.2', async () => {
    const commits = edited('e3');
    rehash(commits, 'e3', { dropProof: true });
    forger.store(commits);
    expect(await verify()).toMatchObject({ valid: false, first_broken: 'e3' });
  });
  it('is invalid if the whole log was rewritten as one of release 0.2', async () => {
    const commits = edited('e3');
    rehash(commits, 'e1', { dropProof: true });
    forger.store(commits);
    expect(await verify()).toMatchObject({ valid: false, first_broken: 'e1' });
  });
  it('names an entry that was edited', async () => {
    forger.store(edited('e4'));
    expect(await verify()).toMatchObject({ valid: false, checked: 5, first_broken: 'e4' });
  });
  it('names the entry after one that was removed', async () => {
    const commits = forger.commits();
    const holder = commits.find(({ events }) => events.some(({ event }) => event.entry.id === 'e2'))!;
    holder.events = holder.events.filter(({ event }) => event.entry.id !== 'e2');
    forger.store(commits);
    expect(await verify()).toMatchObject({ valid: false, first_broken: 'e3' });
  });
  it('names an entry whose row differs', async () => {
    forger.rows((table) => `UPDATE ${table} SET row = json_set(row, '$.user_id', 'somebody-else') WHERE row LIKE '%"e2"%'`);
    expect(await verify()).toMatchObject({ valid: false, first_broken: 'e2' });
  });
  it('names an entry whose row was removed', async () => {
    forger.rows((table) => `DELETE FROM ${table} WHERE row LIKE '%"e5"%'`);
    expect(await verify()).toMatchObject({ valid: false, first_broken: 'e5' });
  });
  it('finds no fault when it runs while entries are recorded', async () => {
    for (let n = 0; n < 20; n++) {
      const heard = hear(`more-${n}`);
      expect(await verify()).toMatchObject({ valid: true });
      await heard;
    }
  });
  it('is verified for administrators only', async () => {
    const answer = await request(service.server).get('/admin/audit-logs/verify').set(service.as('ann'));
    expect(answer.status).toBe(403);
  });
});

describe('the exported head of the audit log', () => {
  let service: ServiceUnderTest;
  let forger: Forger;
  const file = join(tmpdir(), `audit-head-${randomBytes(8).toString('hex')}.json`);
  const verify = async () =>
    (await request(service.server).get('/admin/audit-logs/verify').set(service.as('root', 'Admin'))).body as Record<string, unknown>;
  const exported = async () => JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as { id?: string; version?: number };
  const hear = (id: string) => service.hear('parlance.identity.user-enabled.v1', 'user-u', { user_id: 'u' }, id);

  beforeEach(async () => {
    service = await serviceUnderTest(withUnrecordedReads, { PARLANCE_AUDIT_HEAD_FILE: file, PARLANCE_AUDIT_HEAD_SECONDS: '1' });
    forger = new Forger(service.host.config.dataDir);
    await hear('e1');
    await hear('e2');
    await waitFor(async () => (await exported()).id === 'e2', { what: 'the exported head' });
  });
  afterEach(async () => {
    forger.close();
    await service.stop();
    await rm(file, { force: true });
  });

  it('follows the log', async () => {
    await hear('e3');
    await waitFor(async () => (await exported()).id === 'e3', { what: 'the next head' });
    expect(await verify()).toMatchObject({ valid: true, first_broken: null });
  });
  it('shows that the newest entries were cut off, and is not replaced', async () => {
    const before = await exported();
    forger.run("DELETE FROM commits WHERE stream = 'audit-trail' AND version > 1");
    const first = forger.commits()[0]!;
    first.events = first.events.slice(0, 1);
    forger.store([first]);
    forger.rows((table) => `DELETE FROM ${table} WHERE row LIKE '%"e2"%'`);
    expect(await verify()).toMatchObject({ valid: false, first_broken: 'e2' });
    expect(await exported()).toEqual(before);
  });
  it('shows that the log was restored to an earlier state', async () => {
    await writeFile(file, JSON.stringify({ ...(await exported()), id: 'e9', version: 1_000 }));
    expect(await verify()).toMatchObject({ valid: false, first_broken: 'e9' });
  });
});
