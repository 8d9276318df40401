import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { analytics, readAuditHead } from '@parlance/analytics';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/foundation/harness';
import { waitFor } from '@parlance/testing';
import { acceptLoss } from './accept-loss.ts';
import { verifyAudit } from './verify-audit.ts';

const trail = "stream = 'audit-trail'";

describe('parlance verify-audit', () => {
  let service: ServiceUnderTest;
  /** A copy of the exported head, like the one that an operator stores elsewhere. */
  let headCopy: string;
  const database = <Result>(work: (db: DatabaseSync) => Result): Result => {
    const db = new DatabaseSync(join(service.host.config.dataDir, 'analytics.db'));
    try {
      return work(db);
    } finally {
      db.close();
    }
  };
  const recorded = () =>
    database((db) => db.prepare(`SELECT events FROM commits WHERE ${trail} ORDER BY version`).all()).flatMap(
      ({ events }) => JSON.parse(String(events)) as { event: { hash: string } }[],
    );
  const printed = async (...words: string[]) => {
    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      await verifyAudit(service.host.config, words);
      return write.mock.calls.map(([text]) => String(text)).join('');
    } finally {
      write.mockRestore();
    }
  };

  beforeEach(async () => {
    service = await serviceUnderTest(analytics, { PARLANCE_AUDIT_HEAD_FILE: 'head.json', PARLANCE_AUDIT_HEAD_SECONDS: '1' });
    for (const id of ['e1', 'e2', 'e3']) await service.hear('parlance.identity.user-enabled.v1', `user-${id}`, { user_id: 'u' }, id);
    await waitFor(async () => recorded().length === 3, { what: 'the entries' });
    const file = service.host.config.auditHeadFile!;
    await waitFor(async () => (await readAuditHead(file))?.hash === recorded().at(-1)!.event.hash, { what: 'the exported head' });
    await service.host.shutdown.run();
    headCopy = `${file}.kept`;
    await copyFile(file, headCopy);
  });
  afterEach(() => rm(service.host.config.dataDir, { recursive: true }));

  it('refuses a file without --head', async () => {
    await expect(printed(headCopy)).rejects.toThrow(`parlance verify-audit --head ${headCopy}`);
  });

  it('confirms that no entry has changed, and that the log contains the exported head', async () => {
    expect(await printed()).toMatch(/3 entries, head e\d [0-9a-f]{64}/);
    expect(await printed('--head', headCopy)).toMatch(/it contains the exported head/);
  });
  it('names an edited entry', async () => {
    database((db) => db.exec(`UPDATE commits SET events = replace(events, 'enable_user', 'erase_user') WHERE ${trail} AND version = 1`));
    await expect(printed()).rejects.toThrow(/entry e\d does not match its hash/);
  });
  it('detects with the exported head that the log was truncated or replaced by an older copy', async () => {
    database((db) => db.exec(`DELETE FROM commits WHERE ${trail} AND version = (SELECT max(version) FROM commits WHERE ${trail})`));
    await expect(printed('--head', headCopy)).rejects.toThrow(/they are an older copy/);
    // A user with access to the directory can also change its marks, as this command does.
    await acceptLoss(service.host.config, ['analytics']);
    await expect(printed('--head', headCopy)).rejects.toThrow(/is the exported head and not in the log/);
  });
  it('says that a file has no head', async () => {
    await expect(printed('--head', `${headCopy}.missing`)).rejects.toThrow(
      /holds no exported head of the audit log: there is no such file/,
    );
  });
});
