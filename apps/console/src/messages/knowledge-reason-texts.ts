import type { KnowledgeSync } from '@parlance/client/types';
import { chosenTranslation } from './index.ts';

type Run = Pick<KnowledgeSync, 'cause' | 'execution_id' | 'reason' | 'sync_status'>;
type Cause = NonNullable<Run['cause']>;
type Warning = KnowledgeSync['warnings'][number];

/** Why a run that reads knowledge failed, and what to do. English shows the server's own text. */
export interface KnowledgeReasonTexts {
  readonly sourcesFailed: (failed: number, total: number) => string;
  readonly causes: Readonly<Record<Exclude<Cause['code'], 'sources_failed'>, string>>;
  readonly unchanged: string;
  readonly others: (count: number) => string;
  readonly correct: string;
  readonly retry: string;
  readonly askAdministrator: (runId: string) => string;
  /** Why a source was not read, or has no text. */
  readonly problems: Readonly<Record<NonNullable<Warning['code']>, string>>;
}

/** Why a run failed, or waits for its next try, in the chosen language. The server's text in English, and for runs of earlier releases. */
export function runReason(run: Run): string {
  const { cause, reason } = run;
  const texts = chosenTranslation()?.knowledgeReasons;
  const what = texts && cause && whatHappened(cause, texts);
  return what ? [what, texts.unchanged, ...adviceFor(run, cause, texts)].join('\n') : reason;
}

/** Undefined for a cause that is newer than the console. */
function whatHappened({ code, failed, total }: Cause, texts: KnowledgeReasonTexts): string | undefined {
  if (code === 'sources_failed') return texts.sourcesFailed(failed, total);
  return Object.hasOwn(texts.causes, code) ? texts.causes[code] : undefined;
}

function adviceFor({ execution_id, sync_status }: Run, { code, failed, sources }: Cause, texts: KnowledgeReasonTexts): readonly string[] {
  // The sentence for it has the advice.
  if (code === 'deadline_passed') return [];
  if (code !== 'sources_failed' && code !== 'sources_empty')
    return [sync_status === 'RUNNING' ? texts.retry : texts.askAdministrator(execution_id ?? '')];
  const named = sources.map((each) => `${each.source} – ${problemOf(each)}`);
  const others = failed - sources.length;
  return [...named, ...(others > 0 ? [texts.others(others)] : []), texts.correct];
}

/** Why a source was not read, or has no text. */
export function problemOf({ code, reason }: Pick<Warning, 'code' | 'reason'>): string {
  const problems = chosenTranslation()?.knowledgeReasons.problems;
  return problems !== undefined && code !== undefined && Object.hasOwn(problems, code) ? problems[code] : reason;
}
