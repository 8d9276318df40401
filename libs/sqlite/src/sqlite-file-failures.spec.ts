import { spawnSync } from 'node:child_process';
import { existsSync, fstatSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, jest } from '@jest/globals';
import { patience } from '@parlance/testing';
import { file, keys, path, put, reopen } from '../test/pairs-file.ts';
import { checkpointer, SyncFailed } from './checkpointer.ts';
import type { Transaction } from './index.ts';

describe('when the file is full', () => {
  it('fails the units of that transaction, and accepts the next ones', async () => {
    await file.write(put(['before', 1]));
    await file.write((transaction) => transaction.run('PRAGMA max_page_count = 20'));
    const units = ['a', 'b', 'c'].map((key) => file.write(put([key, key === 'b' ? 'x'.repeat(1_000_000) : 1])).then(() => key));
    const outcomes = await Promise.allSettled(units);
    expect(outcomes[1]).toMatchObject({ status: 'rejected', reason: { name: 'WriteFailed', sqliteCode: 13 } });
    await file.write(put(['after', 1]));
    const written = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(keys()).toEqual(['after', 'before', ...written].sort());
  });
});

describe('when the log cannot be synced', () => {
  it('notifies the process, leaves affected writes unanswered, rejects all later ones, and shows no unsynced data', async () => {
    await file.write(put(['a', 1]));
    await file.close();
    let failing = false;
    const reported: Error[] = [];
    await reopen({
      sync: async () => {
        if (failing) throw new Error('EIO');
      },
      onSyncFailed: (error) => reported.push(error),
    });
    failing = true;
    const answers: string[] = [];
    for (const key of ['b', 'c']) void file.write(put([key, 1])).finally(() => answers.push(key));
    while (reported.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await expect(file.write(put(['d', 1]))).rejects.toThrow(/could not be synced: EIO/);
    await new Promise((resolve) => setImmediate(resolve));
    expect([reported.length, answers, keys()]).toEqual([1, [], ['a']]);
  });
});

describe('when SQLite cannot sync the header of the log', () => {
  it('notifies the process, fails the group, rejects all later writes, and moves no log', async () => {
    await file.close();
    const reported: Error[] = [];
    await reopen({ onSyncFailed: (error) => reported.push(error) });
    await file.write(put(['a', 1]));
    const run = jest.spyOn(checkpointer, 'run');
    const fail = () => {
      throw Object.assign(new Error('disk I/O error'), { errcode: 1034 });
    };
    for (const write of await Promise.allSettled([file.write(put(['b', 1])), file.write(fail)]))
      expect(write).toMatchObject({ reason: { name: 'WriteFailed', sqliteCode: 1034 } });
    await expect(file.write(put(['c', 1]))).rejects.toThrow(`the log of ${path} could not be synced: disk I/O error`);
    await expect(file.checkpoint()).rejects.toThrow('could not be synced');
    expect([reported.length, run.mock.calls.length, keys()]).toEqual([1, 0, ['a']]);
    run.mockRestore();
    await file.close();
    expect(existsSync(`${path}-wal`)).toBe(true);
    await reopen();
    expect(keys()).toEqual(['a']);
  });
});

describe('when the file cannot be synced', () => {
  /** Writes until the log is moved into the file. */
  async function moved(reported: readonly Error[]): Promise<number> {
    let number = 0;
    for (; reported.length === 0 && number < 150; number += 1)
      await file.write(put([String(number), 'x'.repeat(100_000)])).catch(() => (number -= 1));
    while (reported.length === 0) await new Promise((resolve) => setImmediate(resolve));
    return number;
  }

  it('notifies the process, rejects all later writes, and does not change the log', async () => {
    await file.close();
    const { ino } = statSync(path);
    const reported: Error[] = [];
    await reopen({
      sync: async (fd) => {
        if (fstatSync(fd).ino === ino) throw new Error('EIO');
      },
      onSyncFailed: (error) => reported.push(error),
      onMoveFailed: (error) => reported.push(error),
    });
    const written = await moved(reported);
    await expect(file.write(put(['more', 1]))).rejects.toThrow(`${path} could not be synced: EIO`);
    await expect(file.checkpoint()).rejects.toThrow('EIO');
    await file.close();
    expect([reported.length, existsSync(`${path}-wal`)]).toEqual([1, true]);
    await reopen();
    expect(keys().length).toBe(written);
  });

  it('does not empty the log by another move that began meanwhile', async () => {
    await file.close();
    const { ino } = statSync(path);
    const reported: Error[] = [];
    let syncs = 0;
    // The system reports a failed sync only once.
    const sync = async (fd: number) => {
      if (fstatSync(fd).ino === ino && ++syncs === 1) throw new Error('EIO');
    };
    await reopen({ sync, onSyncFailed: (error) => reported.push(error) });
    const spy = jest.spyOn(checkpointer, 'run');
    let written = 0;
    for (; spy.mock.calls.length === 0; written += 1) await file.write(put([String(written), 'x'.repeat(100_000)]));
    await expect(file.checkpoint()).rejects.toThrow('EIO');
    expect(reported.length).toBe(1);
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(8_000_000);
    await file.close();
    await reopen();
    expect(keys().length).toBe(written);
  });

  it('does not move the log if the sync of a group fails before the rest is copied', async () => {
    await file.close();
    const { ino } = statSync(path);
    const reported: Error[] = [];
    const begun = Promise.withResolvers<void>();
    let isFailing = false;
    const sync = async (fd: number) => {
      if (fstatSync(fd).ino === ino) {
        isFailing = true;
        void file.write(put(['b', 1])).catch(() => undefined);
        await begun.promise;
      } else if (isFailing) {
        begun.resolve();
        // The move waits for this group.
        for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
        throw new Error('EIO');
      }
    };
    await reopen({ sync, onSyncFailed: (error) => reported.push(error) });
    await file.write(put(['a', 1]));
    const emptied = file.checkpoint();
    await expect(emptied).rejects.toThrow('EIO');
    expect([reported.length, statSync(`${path}-wal`).size > 0]).toEqual([1, true]);
    await file.close();
    await reopen();
  });

  it('does the same if SQLite cannot sync the file', async () => {
    await file.close();
    const reported: Error[] = [];
    await reopen({ onSyncFailed: (error) => reported.push(error) });
    const run = jest.spyOn(checkpointer, 'run').mockRejectedValue(new SyncFailed('disk I/O error'));
    await moved(reported);
    run.mockRestore();
    await expect(file.write(put(['more', 1]))).rejects.toThrow('could not be synced: disk I/O error');
    await file.close();
    await reopen();
  });

  it('continues if the disk is only full', async () => {
    const run = jest.spyOn(checkpointer, 'run').mockRejectedValue(new Error('database or disk is full'));
    await expect(file.checkpoint()).rejects.toThrow('full');
    run.mockRestore();
    await file.write(put(['more', 1]));
  });
});

describe('a process', () => {
  const source = fileURLToPath(new URL('./index.ts', import.meta.url));
  const run = (body: string) => {
    const program = `import { openSqliteFile } from ${JSON.stringify(source)}; const file = await openSqliteFile(${JSON.stringify(path)}); ${body}`;
    return spawnSync(process.execPath, ['--experimental-transform-types', '--input-type=module', '-e', program], {
      timeout: patience(120_000),
    });
  };

  it('ends by itself with an open file, but not before its writes are on disk', () => {
    expect(run(`for (const key of 'abc') void file.write((t) => t.run('INSERT INTO pairs VALUES (?, 1)', key));`).status).toBe(0);
    expect(keys()).toEqual(['a', 'b', 'c']);
  });

  it('that is killed leaves all acknowledged writes', () => {
    const { signal } = run(`await file.write((t) => t.run("INSERT INTO pairs VALUES ('a', 1)")); process.kill(process.pid, 'SIGKILL');`);
    expect(signal).toBe('SIGKILL');
    expect(keys()).toEqual(['a']);
    expect(new DatabaseSync(path).prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  });
});

describe('an I/O error within a unit', () => {
  it('fails all units of its group with WriteFailed, and undoes them', async () => {
    const insert = (transaction: Transaction) => transaction.run("INSERT INTO pairs VALUES ('a', 1)");
    const fail = () => {
      throw Object.assign(new Error('disk I/O error'), { errcode: 10 });
    };
    for (const write of await Promise.allSettled([file.write(insert), file.write(fail)]))
      expect(write).toMatchObject({ reason: { name: 'WriteFailed', sqliteCode: 10 } });
    expect(keys()).toEqual([]);
    await file.write(insert);
  });
});
