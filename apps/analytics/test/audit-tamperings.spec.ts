import { createHash, randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStore } from '@parlance/event-store';
import type { Service } from '@parlance/foundation';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { MasterKey } from '@parlance/privacy';
import { waitFor } from '@parlance/testing';
import fc from 'fast-check';
import request from 'supertest';
import { chainHashes } from '../src/commands/chain-hashes.ts';
import { chained } from '../src/domain/audit-trail.ts';
import { type AuditHead, verifyChain } from '../src/projections/audit-verification.ts';
import { AuditFile, type Recorded } from './audit-file.ts';
import { withUnrecordedReads } from './unrecorded-reads.ts';

const ENTRIES = 40;
const file = join(tmpdir(), `audit-head-${randomBytes(8).toString('hex')}.json`);

const parts = {} as { store: EventStore; master: MasterKey };
const service: Service = {
  ...withUnrecordedReads,
  module: async (host) => {
    const inner = await withUnrecordedReads.module(host);
    const useFactory = (store: EventStore, master: MasterKey) => Object.assign(parts, { store, master });
    return { ...inner, providers: [...inner.providers!, { provide: 'parts', inject: [EventStore, MasterKey], useFactory }] };
  },
};

/** A change by someone with write access to the database, but without the key, and the ID of the entry at which it must be detected. */
type Tampering = (entries: Recorded[], at: number, other: number) => { readonly entries: readonly Recorded[]; readonly shows: string };
const idOf = ({ event }: Recorded) => event.entry.id;
const copy = (entry: Recorded): Recorded => structuredClone(entry);
/** Only the exported head reveals entries removed at the end. */
const next = (entries: readonly Recorded[], at: number) => idOf(entries[at + 1] ?? entries.at(-1)!);

const tamperings: Readonly<Record<string, Tampering>> = {
  edit(entries, at, other) {
    const changed = copy(entries[at]!);
    const fields = ['user_id', 'action_type', 'resource_id', 'ip_address', 'error_message'];
    changed.event.entry[fields[other % fields.length]!] = 'something else';
    return { entries: entries.with(at, changed), shows: idOf(changed) };
  },
  'edit of the outcome': (entries, at) => {
    const changed = copy(entries[at]!);
    changed.event.entry['success'] = !changed.event.entry['success'];
    return { entries: entries.with(at, changed), shows: idOf(changed) };
  },
  'edit, with hashes made again without the key'(entries, at) {
    let head = at === 0 ? '' : entries[at - 1]!.event.hash;
    const changed = entries.slice(at).map(copy);
    changed[0]!.event.entry['user_id'] = 'somebody else';
    for (const { event } of changed) {
      event.previousHash = head;
      head = event.hash = createHash('sha256')
        .update(chained(head, event.entry as never))
        .digest('hex');
    }
    return { entries: [...entries.slice(0, at), ...changed], shows: idOf(changed[0]!) };
  },
  deletion: (entries, at) => ({ entries: entries.toSpliced(at, 1), shows: next(entries, at) }),
  'deletion of several': (entries, at, other) => {
    const [from, to] = [Math.min(at, other), Math.max(at, other)];
    return { entries: entries.toSpliced(from, to - from + 1), shows: next(entries, to) };
  },
  reorder(entries, at, other) {
    const [from, to] = at === other ? [at === 0 ? 0 : at - 1, at === 0 ? 1 : at] : [Math.min(at, other), Math.max(at, other)];
    return { entries: entries.with(from, entries[to]!).with(to, entries[from]!), shows: idOf(entries[to]!) };
  },
  repetition: (entries, at, other) => {
    const [from, to] = [Math.min(at, other), Math.max(at, other)];
    return { entries: entries.toSpliced(to + 1, 0, copy(entries[from]!)), shows: idOf(entries[from]!) };
  },
  'invented entry'(entries, at) {
    const invented = copy(entries[at]!);
    invented.event.entry.id = 'invented';
    return { entries: entries.toSpliced(at, 0, invented), shows: 'invented' };
  },
  truncation: (entries, at) => ({ entries: entries.slice(0, at), shows: idOf(entries.at(-1)!) }),
};

describe('a hundred random tamperings with the audit log', () => {
  let running: ServiceUnderTest;
  let trail: AuditFile;
  let head: AuditHead;
  const hear = (id: string) => running.hear('parlance.identity.user-enabled.v1', 'user-u', { user_id: 'u' }, id);
  const exported = async () => JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as AuditHead;
  const endpoint = async () => (await request(running.server).get('/admin/audit-logs/verify').set(running.as('root', 'Admin'))).body;
  /** Does the same check as `parlance verify-audit --head FILE`. */
  const command = async () => verifyChain(parts.store, chainHashes(parts.master), { heads: [await exported()] });

  beforeAll(async () => {
    running = await serviceUnderTest(service, { PARLANCE_AUDIT_HEAD_FILE: file, PARLANCE_AUDIT_HEAD_SECONDS: '1' });
    trail = new AuditFile(running.host.config.dataDir);
    for (let index = 0; index < ENTRIES; index++) await hear(`e${index}`);
    await waitFor(async () => (await exported()).id === `e${ENTRIES - 1}`, { what: 'the exported head' });
    head = await exported();
  });
  afterAll(async () => {
    trail?.close();
    await running?.stop();
    await rm(file, { force: true });
  });

  it('are all detected, each at its entry, by the endpoint and by the command', async () => {
    const place = fc.nat(ENTRIES - 1);
    // Administrators see the rows. A careful forger changes them too.
    const some = fc.record({ kind: fc.constantFrom(...Object.keys(tamperings)), at: place, other: place, withRows: fc.boolean() });
    const kinds = new Set<string>();
    await fc.assert(
      fc.asyncProperty(some, async ({ kind, at, other, withRows }) => {
        const { entries, shows } = tamperings[kind]!(trail.entries(), at, other);
        kinds.add(kind);
        try {
          trail.replace(entries, { withRows });
          const found = await command();
          expect({ kind, at, other, shows: found.broken?.id }).toEqual({ kind, at, other, shows });
          const answer = await endpoint();
          expect([kind, answer.valid]).toEqual([kind, false]);
          // Leftover rows of removed entries are found before the missing head.
          const isCut = shows === head.id && entries.length < ENTRIES;
          if (!isCut || withRows) expect([kind, at, other, answer.first_broken]).toEqual([kind, at, other, shows]);
          else expect(answer.first_broken).toMatch(/^e\d+$/);
          if (isCut) expect(answer.head?.id ?? null).toBe(entries.length === 0 ? null : idOf(entries.at(-1)!));
        } finally {
          trail.restore();
        }
      }),
      { numRuns: 100, endOnFailure: true },
    );
    expect([...kinds].toSorted()).toEqual(Object.keys(tamperings).toSorted());
    expect(await exported()).toEqual(head);
    expect(await endpoint()).toMatchObject({ valid: true, checked: ENTRIES, first_broken: null });
  });
  it('include restoring the complete file to an earlier valid state', async () => {
    const before = trail.copy();
    await hear('later');
    await waitFor(async () => (await exported()).id === 'later', { what: 'the next head' });
    trail.putBack(before);
    expect((await command()).broken).toMatchObject({ id: 'later', reason: expect.stringContaining('restored') });
    expect(await endpoint()).toMatchObject({ valid: false, first_broken: 'later', head: { id: head.id } });
  });
});
