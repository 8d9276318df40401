import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { analytics, readAuditHead } from '@parlance/analytics';
import { type ServiceUnderTest, serviceUnderTest } from '@parlance/service-kit/harness';
import { waitFor } from '@parlance/testing';
import { verifyAudit } from './verify-audit.ts';

describe('parlance verify-audit', () => {
  let service: ServiceUnderTest;
  let head: string;
  const db = (work: (db: DatabaseSync) => void) => {
    const file = new DatabaseSync(join(service.host.config.dataDir, 'analytics.db'));
    work(file);
    file.close();
  };
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
    head = service.host.config.auditHeadFile!;
    for (const id of ['e1', 'e2', 'e3']) await service.hear('parlance.identity.user-enabled.v1', `user-${id}`, { user_id: 'u' }, id);
    await waitFor(
      async () => {
        let entries = 0;
        db(
          (file) =>
            (entries = file
              .prepare("SELECT events FROM commits WHERE stream = 'audit-trail'")
              .all()
              .map(({ events }) => JSON.parse(String(events)).length)
              .reduce((a, b) => a + b, 0)),
        );
        return entries === 3;
      },
      { what: 'the entries' },
    );
    const newest = await waitForHead();
    await service.host.shutdown.run();
    await writeFile(`${head}.kept`, JSON.stringify(newest));
  });
  const waitForHead = async () => {
    let found = await readAuditHead(head);
    await waitFor(
      async () => {
        found = await readAuditHead(head);
        let last = '';
        db((file) => {
          const row = file.prepare("SELECT events FROM commits WHERE stream = 'audit-trail' ORDER BY version DESC LIMIT 1").get();
          last = JSON.parse(String(row!['events'])).at(-1).event.hash;
        });
        return found?.hash === last;
      },
      { what: 'the head' },
    );
    return found;
  };
  afterEach(() => rm(service.host.config.dataDir, { recursive: true }));

  it('says how many entries are as they were recorded, and that the exported head is among them', async () => {
    expect(await printed()).toMatch(/3 entries, head e\d [0-9a-f]{64}/);
    expect(await printed('--head', `${head}.kept`)).toMatch(/it contains the exported head/);
  });
  it('names an entry that was edited', async () => {
    db((file) =>
      file.exec("UPDATE commits SET events = replace(events, 'enable_user', 'erase_user') WHERE stream = 'audit-trail' AND version = 1"),
    );
    await expect(printed()).rejects.toThrow(/entry e\d is not what its hash was made of/);
  });
  it('finds by the exported head that the log was put back or cut off', async () => {
    db((file) =>
      file.exec(
        "DELETE FROM commits WHERE stream = 'audit-trail' AND version = (SELECT max(version) FROM commits WHERE stream = 'audit-trail')",
      ),
    );
    await expect(printed('--head', `${head}.kept`)).rejects.toThrow(/is the exported head and not in the log/);
  });
  it('says that a file holds no head', async () => {
    await expect(printed('--head', `${head}.missing`)).rejects.toThrow(/holds no exported head of the audit log: there is no such file/);
  });
});
