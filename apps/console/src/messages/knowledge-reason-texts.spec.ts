import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeSync } from '@parlance/client/types';
import { setLanguage } from './index.ts';
import { problemOf, runReason } from './knowledge-reason-texts.ts';

const RUN_ID = '01K0000000000000000000000R';
const warning: KnowledgeSync['warnings'][number] = { source: 'a.txt', reason: 'The file was not uploaded.', code: 'not_uploaded' };
const failed: NonNullable<KnowledgeSync['cause']> = { code: 'sources_failed', failed: 3, total: 4, sources: [warning] };
const fault: typeof failed = { code: 'fault', failed: 0, total: 0, sources: [] };
const run = { execution_id: RUN_ID, reason: 'It failed.', sync_status: 'FAILED', cause: failed } as const;

beforeAll(async () => {
  // Node has no document.
  Object.assign(globalThis, { document: { documentElement: { lang: 'en' } } });
  await setLanguage('de');
});
afterAll(async () => {
  await setLanguage('en');
  Reflect.deleteProperty(globalThis, 'document');
});

describe('the reason of a run, in the chosen language,', () => {
  it('names the sources, the number of others, and what to do', () =>
    expect(runReason(run).split('\n')).toEqual([
      'Nicht eingelesen: 3 von 4 Quellen.',
      'Das Wissen des Bots hat sich nicht geändert.',
      'a.txt – Die Datei wurde nicht hochgeladen. Laden Sie sie hoch, und lesen Sie die Quellen erneut ein.',
      '2 weitere Quellen werden hier nicht genannt.',
      'Korrigieren oder entfernen Sie diese Quellen, und lesen Sie die Quellen erneut ein.',
    ]));
  it('says that the run is tried again, or who can help and where the cause is', () => {
    const retried = runReason({ ...run, cause: fault, sync_status: 'RUNNING' });
    const ended = runReason({ ...run, cause: fault });
    expect([retried.includes('von selbst'), retried.includes(RUN_ID)]).toEqual([true, false]);
    expect([ended.includes('von selbst'), ended.includes(RUN_ID)]).toEqual([false, true]);
  });
  it('says what to do after a deadline, and nothing else', () => {
    const lines = runReason({ ...run, cause: { ...fault, code: 'deadline_passed' } }).split('\n');
    expect(lines).toEqual([expect.stringContaining('weniger Quellen'), 'Das Wissen des Bots hat sich nicht geändert.']);
  });
  it("is the server's own text for a run of an earlier release, and for a cause that is newer than the console", () => {
    expect(runReason({ ...run, cause: null })).toBe('It failed.');
    expect(runReason({ ...run, cause: { ...fault, code: 'newer' as 'fault' } })).toBe('It failed.');
    expect(problemOf({ reason: 'The page is gone.' })).toBe('The page is gone.');
    expect(problemOf({ reason: 'The page is gone.', code: 'newer' as 'timeout' })).toBe('The page is gone.');
  });
});

it('the reason of a run is the text of the server in English', async () => {
  await setLanguage('en');
  expect([runReason(run), problemOf(warning)]).toEqual(['It failed.', 'The file was not uploaded.']);
});
